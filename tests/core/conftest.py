"""How long the property tests of the core look: briefly by default, as long as one likes with ``JADOUBE_EXAMPLES``."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "core",
    max_examples=int(os.environ.get("JADOUBE_EXAMPLES", "60")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("core")

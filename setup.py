"""What pyproject.toml cannot say: catalogues are compiled where jadoube is built, and not kept in the repository."""

import runpy
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

CATALOGUES = Path(__file__).resolve().parent / "tools" / "catalogues.py"


class BuildWithCatalogues(build_py):  # type: ignore[misc]  # setuptools has no types
    """Also of a checkout that is installed to be worked on: then beside their sources."""

    def run(self) -> None:
        runpy.run_path(str(CATALOGUES), run_name="__main__")
        super().run()


setup(cmdclass={"build_py": BuildWithCatalogues})

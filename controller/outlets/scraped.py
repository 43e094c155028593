"""What Prometheus fetches over HTTP: the figures of a registry, in its text format."""

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


def scraped(registry: CollectorRegistry) -> Starlette:
    """Serves ``/metrics``. The figures are collected in the thread of the event loop."""

    async def figures(request: Request) -> Response:
        encode, kind = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(registry), headers={"Content-Type": kind})

    return Starlette(routes=[Route("/metrics", figures)])

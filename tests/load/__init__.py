"""A hall of a thousand boards, for measuring what stands behind them: the broker, the archive, the console.

==============  ======================================================================================
``recording``   games judged beforehand, as what an outlet of ours published of them: in one file
``session``     one connection by MQTT, so light that a thousand of them fit into a process
``outbox``      a board: what it plays, how far it is acknowledged, what it is asked
``generator``   the process of all boards, and its log of what was told and when
``compared``    that log against PostgreSQL; shares no code with either side
``shown``       that log against what a spectator heard
``spectator``   one who follows all boards on the hall's pages
``commander``   one who commands boards all the time
``latecomer``   a receiver that comes late
``cluster``     three nodes of RabbitMQ on the loopback, each killed alone
``figures``     what is measured
``house``       a whole hall on this machine, each part a process of its own
``watched``     what every part takes of the machine, and what others do
``clients``     what other MQTT clients take for as many connections
==============  ======================================================================================

Run by ``make bench BENCH=hall``. The generator uses nothing of ``controller``.
"""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / room) for room in ("archive", "daemon", "faults")]  # whose engines and receivers it uses

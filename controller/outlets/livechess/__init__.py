"""DGT LiveChess, for programs made for it.

``outlet``: the port; ``protocol``, ``boards``: what is said, and of what; by WebSocket ``connection``, ``feed``,
``line``; by REST ``rest``
"""

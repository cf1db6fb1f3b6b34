"""The page: the whole graph as one HTML file that needs no network.

payload.py     what of the graph the page holds, as plain JSON
assemble.py    template + style + scripts + payload -> one file under a content security policy
page/          the page's own HTML, CSS and scripts
vendor/        cytoscape.js draws, dagre places (vendor/VENDOR.md)
"""

from graphmem.view.assemble import render

__all__ = ["render"]

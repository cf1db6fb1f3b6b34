/* Where everything stands. dagre places columns from left to right; what it has no notion of is done here:
 *
 * - a tray: the many closed children of a domain, a site or the general ways stand in rows instead of one long column;
 * - a lane: what is general stands below everything else, in a band of its own;
 * - an order: steps stand under each other as they are done. */
(function (view) {
  "use strict";

  const WEIGHT = { IN: 8, ON: 8, HAS_WAY: 3 }; // keeps sites beside their domain, tasks beside their site
  const UNORDERED = new Set(["Domain", "Site", "Group"]); // whose children have no order of steps
  const TRAY = 7; // closed children from which on they stand in a tray
  const GAP = { x: 20, y: 9 };
  const EDGE = 8; // between a tray's border and what is in it
  const LANE = { gap: 36, pad: 16 };
  const MORE = { width: 104, height: 26 };

  /* {at: id -> middle, points: edge id -> way, trays: [{parent, x, y, w, h}], lane: {x, y, w, h} or null}.
   * `sizes`: node -> {width, height}; `room`: the width that can be read at once. */
  function place(nodes, more, sizes, edges, room) {
    const made = { at: new Map(), points: new Map(), trays: [], lane: null };
    const isGeneral = (node) => node.label === "Group" || Boolean(node.properties.general);
    const part = (wanted) => ({
      nodes: nodes.filter((node) => isGeneral(node) === wanted),
      more: more.filter((each) => isGeneral(each.parent) === wanted),
      edges: edges.filter((line) => !line.aside && isGeneral(line.from) === wanted && isGeneral(line.to) === wanted),
    });
    const main = placePart(part(false), sizes, room, made, { x: 0, y: 0 });
    const general = part(true);
    if (general.nodes.length) {
      const top = main.height ? main.height + LANE.gap + LANE.pad : 0;
      const size = placePart(general, sizes, room, made, { x: 0, y: top });
      const width = Math.max(size.width, main.width) + 2 * LANE.pad;
      const height = size.height + 2 * LANE.pad;
      made.lane = { x: width / 2 - LANE.pad, y: top + size.height / 2, w: width, h: height };
    }
    return made;
  }

  /* Places one part with its left upper corner at `corner`; its width and height. */
  function placePart(part, sizes, room, made, corner) {
    if (!part.nodes.length) return { width: 0, height: 0 };
    const trays = traysOf(part, sizes, room);
    const inTray = new Map(trays.flatMap((tray) => tray.members.map((member) => [member.id, tray])));
    const graph = new window.dagre.graphlib.Graph({ multigraph: true });
    graph.setGraph({
      rankdir: "LR",
      nodesep: 12,
      edgesep: 8,
      ranksep: 48,
      ranker: part.nodes.length > 400 ? "tight-tree" : "network-simplex",
    });
    const order = addNodes(graph, part, sizes, inTray);
    for (const line of part.edges)
      if (!inTray.has(line.to.id))
        graph.setEdge(line.from.id, line.to.id, { weight: WEIGHT[line.edge?.type] || 1 }, line.id);
    for (const { parent } of part.more)
      if (!inTray.has("more:" + parent.id)) graph.setEdge(parent.id, "more:" + parent.id, {}, "line:more:" + parent.id);
    for (const tray of trays) graph.setEdge(tray.parent.id, tray.id, { weight: 4 }, "line:" + tray.id);
    window.dagre.layout(graph, { customOrder: (layered) => keepOrder(layered, order) });
    const left = Math.min(...graph.nodes().map((id) => graph.node(id).x - graph.node(id).width / 2));
    const by = { x: corner.x - left, y: corner.y };
    for (const id of graph.nodes()) made.at.set(id, moved(graph.node(id), by));
    for (const edge of graph.edges())
      made.points.set(
        edge.name,
        graph.edge(edge).points.map((point) => moved(point, by)),
      );
    for (const tray of trays) fill(tray, made);
    return { width: graph.graph().width, height: graph.graph().height };
  }

  function moved(point, by) {
    return { x: point.x + by.x, y: point.y + by.y };
  }

  /* Cards and trays in the order in which they shall stand; a "more" behind the last that hangs under its parent. */
  function addNodes(graph, part, sizes, inTray) {
    const order = new Map();
    const add = (id, size) => {
      if (order.has(id)) return;
      order.set(id, order.size);
      graph.setNode(id, { width: size.width, height: size.height });
    };
    const addMore = (parent) => inTray.has("more:" + parent.id) || add("more:" + parent.id, MORE);
    const moreOf = new Set(part.more.map((each) => each.parent));
    const waiting = [];
    for (const node of part.nodes) {
      while (waiting.length && !below(node, waiting.at(-1))) addMore(waiting.pop());
      const tray = inTray.get(node.id);
      if (tray) add(tray.id, tray);
      else add(node.id, sizes.get(node));
      if (moreOf.has(node)) waiting.push(node);
    }
    while (waiting.length) addMore(waiting.pop());
    return order;
  }

  function below(node, parent) {
    return node.parents.includes(parent) || view.ancestors(node).includes(parent);
  }

  /* dagre's own order has fewer crossings and no meaning. */
  function keepOrder(layered, order) {
    const layers = new Map();
    for (const id of layered.nodes()) {
      const node = layered.node(id);
      if (node.rank === undefined) continue;
      const ends = node.edgeObj ? order.get(node.edgeObj.w) : undefined;
      if (!layers.has(node.rank)) layers.set(node.rank, []);
      layers.get(node.rank).push({ node, at: order.get(id) ?? (ends === undefined ? 1e9 : ends - 0.5), id });
    }
    for (const layer of layers.values())
      layer
        .sort((one, other) => one.at - other.at || view.compare(one.id, other.id))
        .forEach((each, index) => {
          each.node.order = index;
        });
  }

  /* -- trays ------------------------------------------------------------------------------------------------------- */

  /* A parent's children stand in a tray where they are many, none of them is open, and nothing else on the page holds one. */
  function traysOf(part, sizes, room) {
    const here = new Set(part.nodes);
    const trays = [];
    for (const parent of part.nodes) {
      if (!UNORDERED.has(parent.label)) continue;
      const members = parent.children.map((call) => call.node).filter((node) => here.has(node));
      const plain = (node) =>
        !node.children.some((call) => here.has(call.node)) &&
        node.parents.filter((each) => here.has(each)).length === 1;
      if (members.length < TRAY || !members.every(plain)) continue;
      const width = Math.max(...members.map((node) => sizes.get(node).width));
      const left = view.ancestors(parent).filter((node) => here.has(node)).length ? 402 : 200;
      const columns = Math.max(1, Math.min(Math.floor((room - left) / (width + GAP.x)), Math.ceil(members.length / 2)));
      const more = part.more.some((each) => each.parent === parent);
      const cells = members.map((node) => ({ id: node.id, ...sizes.get(node) }));
      if (more) cells.push({ id: "more:" + parent.id, ...MORE });
      trays.push(tray(parent, cells, columns, width));
    }
    return trays;
  }

  function tray(parent, members, columns, cell) {
    const rows = [];
    for (let at = 0; at < members.length; at += columns) {
      const row = members.slice(at, at + columns);
      rows.push({ members: row, height: Math.max(...row.map((member) => member.height)) });
    }
    const height = rows.reduce((sum, row) => sum + row.height + GAP.y, 0) - GAP.y + 2 * EDGE;
    const width = Math.min(columns, members.length) * (cell + GAP.x) + 2 * EDGE;
    return { id: "tray:" + parent.id, parent, members, rows, cell, width, height };
  }

  function fill(tray, made) {
    const middle = made.at.get(tray.id);
    made.trays.push({ id: tray.id, parent: tray.parent, x: middle.x, y: middle.y, w: tray.width, h: tray.height });
    let y = middle.y - tray.height / 2 + EDGE;
    for (const row of tray.rows) {
      row.members.forEach((member, column) => {
        const left = middle.x - tray.width / 2 + EDGE + 4 + column * (tray.cell + GAP.x);
        made.at.set(member.id, { x: left + member.width / 2, y: y + row.height / 2 });
      });
      y += row.height + GAP.y;
    }
  }

  view.place = place;
})((window.graphmemView = window.graphmemView || {}));

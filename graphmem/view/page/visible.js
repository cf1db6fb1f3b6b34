/* Which nodes are on the page: pure functions of the model and the page's state.
 *
 * State: `open` (nodes whose children show), `shown` (how many children of a node, where it has many), `filter`, `ego`. */
(function (view) {
  "use strict";

  const CHILDREN = 30; // of one node at a time; the rest is behind a "more"
  const AT_FIRST = 36; // nodes at most on the page when it opens
  const AT_MOST = 600; // nodes that opening a level may bring

  function newState() {
    return {
      open: new Set(),
      shown: new Map(),
      selected: null,
      edge: null,
      ego: null,
      egoDepth: 2,
      keep: null,
      filter: { domain: "", site: "", status: "", uses: 0 },
      lines: { SPECIALIZES: true, NEXT: false },
    };
  }

  /* -- filter ------------------------------------------------------------------------------------------------------ */

  function filtering(filter) {
    return Boolean(filter.domain || filter.site || filter.status || filter.uses > 0);
  }

  /* The nodes that pass, as `match`, and with those above them as `keep`; null where nothing is filtered. */
  function applyFilter(model, state) {
    const filter = state.filter;
    if (!filtering(filter)) {
      state.keep = state.match = null;
      return;
    }
    state.match = new Set(model.nodes.filter((node) => passes(node, filter)));
    state.keep = new Set(state.match);
    for (const node of state.match) for (const above of view.ancestors(node)) state.keep.add(above);
    for (const node of state.keep) if (outside(node, filter)) state.keep.delete(node);
  }

  function outside(node, filter) {
    if (node.label === "Group") return false;
    const sites = [...node.sites].map((site) => site.key);
    const domains = node.label === "Domain" ? [node.key] : [...node.domains].map((domain) => domain.key);
    if (filter.domain && !domains.includes(filter.domain)) return true;
    return Boolean(filter.site && node.label !== "Domain" && !sites.includes(filter.site));
  }

  function passes(node, filter) {
    if (outside(node, filter)) return false;
    if (node.label === "Domain") return !filter.site && !filter.status && !filter.uses;
    if (node.label === "Site") return !filter.status && !filter.uses;
    if (filter.status && node.properties.status !== filter.status) return false;
    return view.uses(node) >= filter.uses;
  }

  /* -- what shows -------------------------------------------------------------------------------------------------- */

  function childrenOf(node, state) {
    return state.keep ? node.children.filter((call) => state.keep.has(call.node)) : node.children;
  }

  function shownOf(node, state) {
    return childrenOf(node, state).slice(0, state.shown.get(node) || CHILDREN);
  }

  function rootsOf(model, state) {
    return model.roots.filter((root) => !state.keep || state.keep.has(root));
  }

  /* {nodes: in order, more: [{parent, hidden}]}; a node shows once, whatever leads to it. */
  function visible(model, state) {
    if (state.ego) return { nodes: egoOf(state.ego, state.egoDepth, state), more: [] };
    const nodes = [];
    const more = [];
    const seen = new Set();
    const walk = (node) => {
      if (seen.has(node)) return;
      seen.add(node);
      nodes.push(node);
      if (!state.open.has(node)) return;
      const shown = shownOf(node, state);
      for (const call of shown) walk(call.node);
      const hidden = childrenOf(node, state).length - shown.length;
      if (hidden > 0) more.push({ parent: node, hidden });
    };
    for (const root of rootsOf(model, state)) walk(root);
    return { nodes, more };
  }

  /* A node, all above it, what is below to a depth, and what it generalises, specialises, follows or precedes. */
  function egoOf(ego, depth, state) {
    const nodes = new Set([ego, ...view.ancestors(ego)]);
    for (const edge of ego.edges)
      if (edge.type === "SPECIALIZES" || edge.type === "NEXT") {
        nodes.add(edge.source);
        nodes.add(edge.target);
      }
    let layer = [ego];
    for (let level = 0; level < depth && layer.length && nodes.size < AT_MOST; level++) {
      layer = layer
        .flatMap((node) => childrenOf(node, state).map((call) => call.node))
        .filter((node) => !nodes.has(node));
      for (const node of layer.slice(0, AT_MOST - nodes.size)) nodes.add(node);
    }
    return inOrder(nodes);
  }

  /* A set of nodes from the top down, steps in the order in which they are done. */
  function inOrder(nodes) {
    const ordered = new Set();
    const walk = (node) => {
      if (ordered.has(node)) return;
      ordered.add(node);
      for (const call of node.children) if (nodes.has(call.node)) walk(call.node);
    };
    for (const node of nodes) if (!node.parents.some((parent) => nodes.has(parent))) walk(node);
    return [...ordered];
  }

  /* -- changes ----------------------------------------------------------------------------------------------------- */

  /* Opens every closed node that shows: "opened", "over" where the page would hold more than `limit`, "all" if none is closed. */
  function openLevel(model, state, limit) {
    const closed = visible(model, state).nodes.filter(
      (node) => !state.open.has(node) && childrenOf(node, state).length,
    );
    if (!closed.length) return "all";
    for (const node of closed) state.open.add(node);
    if (visible(model, state).nodes.length <= (limit || AT_MOST)) return "opened";
    for (const node of closed) state.open.delete(node);
    return "over";
  }

  function openBelow(node, state) {
    const queue = [node];
    const seen = new Set(queue);
    for (let at = 0; at < queue.length && seen.size < AT_MOST; at++) {
      if (!queue[at].children.length) continue;
      state.open.add(queue[at]);
      for (const call of shownOf(queue[at], state))
        if (!seen.has(call.node)) {
          seen.add(call.node);
          queue.push(call.node);
        }
    }
    return seen.size < AT_MOST;
  }

  /* Makes a node show: below all its parents where these are few, else by the first way down to it. */
  function reveal(node, state) {
    const all = view.ancestors(node);
    const above = all.length <= 40 ? all : firstWay(node);
    for (const parent of above) state.open.add(parent);
    for (const child of [node, ...above])
      for (const parent of child.parents) if (state.open.has(parent)) makeRoom(parent, child, state);
  }

  function firstWay(node) {
    const above = new Set();
    for (let at = node.parents[0]; at && !above.has(at); at = at.parents[0]) above.add(at);
    return [...above];
  }

  /* After a filter: what passes shows at once where it is not too much. */
  function revealMatches(state) {
    if (!state.match || state.match.size > AT_FIRST) return;
    for (const node of state.match) reveal(node, state);
  }

  function makeRoom(parent, child, state) {
    const place = childrenOf(parent, state).findIndex((call) => call.node === child);
    if (place >= (state.shown.get(parent) || CHILDREN)) state.shown.set(parent, place + 1);
  }

  function showMore(parent, state) {
    state.shown.set(parent, (state.shown.get(parent) || CHILDREN) + CHILDREN);
  }

  Object.assign(view, {
    newState,
    filtering,
    applyFilter,
    childrenOf,
    shownOf,
    rootsOf,
    visible,
    openLevel,
    openBelow,
    reveal,
    revealMatches,
    showMore,
    AT_FIRST,
    AT_MOST,
  });
})((window.graphmemView = window.graphmemView || {}));

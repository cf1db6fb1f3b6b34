/* Which nodes are on the page: pure functions of the model and the page's state.
 *
 * State: `open` (nodes whose children show), `shown` (how many children of a node, where it has many), `whole` (nodes all of
 * whose children show although some are open), `pinned` (nodes that were looked for), `filter`, `ego`, `planOnly`. */
(function (view) {
  "use strict";

  const CHILDREN = 30; // of one node at a time; the rest is behind a "more"
  const SITES = 120; // of one domain at a time: their names are short
  const OTHERS = 8; // closed siblings of what is open, from which on they are behind an "others"
  const AT_FIRST = 120; // nodes at most on the page when it opens
  const MATCHES = 36; // nodes that a filter shows at once
  const AT_MOST = 600; // nodes that opening a level may bring

  function newState() {
    return {
      open: new Set(),
      shown: new Map(),
      whole: new Set(),
      pinned: new Set(),
      plan: null,
      planOnly: false,
      step: null,
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
    return childrenOf(node, state).slice(0, room(node, state));
  }

  function room(node, state) {
    return state.shown.get(node) || (node.label === "Domain" ? SITES : CHILDREN);
  }

  /* Beside what is open the picture leaves out the closed ones, where they are many: the outline has them all. The sites of
   * a domain go too once a site of another one is open. */
  function others(calls, node, state) {
    if (!["Domain", "Site", "Group"].includes(node.label) || state.whole.has(node)) return new Set();
    const isOpen = (call) => state.open.has(call.node) && childrenOf(call.node, state).length > 0;
    const left = calls.filter((call) => !isOpen(call) && !state.pinned.has(call.node));
    const aside = left.length < calls.length || (node.label === "Domain" && siteIsOpen(state));
    const out = left.length > OTHERS && aside ? left : [];
    return new Set(out.map((call) => call.node));
  }

  function siteIsOpen(state) {
    return [...state.open].some(
      (node) => node.label === "Site" && node.parents.some((parent) => state.open.has(parent)),
    );
  }

  function rootsOf(model, state) {
    return model.roots.filter((root) => !state.keep || state.keep.has(root));
  }

  /* {nodes: in order, more: [{parent, hidden, others}]}; a node shows once, whatever leads to it. */
  function visible(model, state) {
    if (state.ego) return { nodes: egoOf(state.ego, state.egoDepth, state), more: [] };
    if (state.planOnly) return { nodes: inOrder(state.plan.nodes), more: [] };
    const nodes = [];
    const more = [];
    const seen = new Set();
    const walk = (node) => {
      if (seen.has(node)) return;
      seen.add(node);
      nodes.push(node);
      if (!state.open.has(node)) return;
      const shown = shownOf(node, state);
      const left = others(shown, node, state);
      for (const call of shown) if (!left.has(call.node)) walk(call.node);
      const hidden = childrenOf(node, state).length - shown.length + left.size;
      if (hidden > 0) more.push({ parent: node, hidden, others: left.size > 0 && left.size < shown.length });
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
      (node) => !state.open.has(node) && childrenOf(node, state).length && !(limit && node.label === "Group"),
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
    state.pinned.add(node);
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
    if (!state.match || state.match.size > MATCHES) return;
    for (const node of state.match) reveal(node, state);
  }

  function makeRoom(parent, child, state) {
    const place = childrenOf(parent, state).findIndex((call) => call.node === child);
    if (place >= room(parent, state)) state.shown.set(parent, place + 1);
  }

  /* First the siblings that were left out, then the next of a long list. */
  function showMore(parent, state) {
    if (others(shownOf(parent, state), parent, state).size) state.whole.add(parent);
    else state.shown.set(parent, room(parent, state) + CHILDREN);
  }

  /* Everything of the plan, in the whole graph. */
  function revealPlan(state) {
    const inPlan = state.plan.nodes;
    for (const node of inPlan) {
      const within = node.parents.filter((parent) => inPlan.has(parent));
      if (within.length) for (const parent of within) makeRoom(parent, node, state);
      else reveal(node, state);
      state.pinned.add(node);
      if (node.children.some((call) => inPlan.has(call.node))) state.open.add(node);
    }
  }

  function closeAll(state) {
    for (const part of [state.open, state.shown, state.whole, state.pinned]) part.clear();
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
    revealPlan,
    closeAll,
    showMore,
    AT_FIRST,
    AT_MOST,
  });
})((window.graphmemView = window.graphmemView || {}));

/* The curves of the lines, as control points for cytoscape.js. */
(function (view) {
  "use strict";

  const BESIDE = 122; // from the middle of a column to the gap beside it
  const TURN = 30; // room for a bend

  /* A smooth line from right edge to left edge by the points that the layout kept free for it. `twin` of `twins`: of several
   * calls of one node by one node. */
  function down(start, startHalf, end, endHalf, kept, twin, twins) {
    const from = { x: start.x + startHalf, y: start.y };
    const beside = twins > 1 ? (twin - (twins - 1) / 2) * 14 : 0;
    const to = { x: end.x - endHalf, y: end.y + beside };
    const middle = (from.x + to.x) / 2;
    const inner =
      kept && kept.length > 3
        ? through(kept, from, to)
        : [
            { x: middle, y: from.y },
            { x: middle, y: to.y },
          ];
    return { ...controls(from, to, inner), out: "50% 0px", in: `-50% ${beside}px` };
  }

  /* Straight between the cards of each column that a long line passes, up or down in the gaps beside them. Every second of
   * the points is the middle of a column. */
  function through(points, from, to) {
    const inner = [];
    let y = from.y;
    const turn = (x, next) => {
      const near = Math.sign(next - y) * Math.min(TURN, Math.abs(next - y) / 2);
      inner.push({ x, y }, { x, y: y + near }, { x, y: next - near }, { x, y: next });
      y = next;
    };
    for (const point of points.slice(2, -2).filter((each, index) => index % 2 === 0)) turn(point.x - BESIDE, point.y);
    turn(to.x - 24, to.y);
    return inner;
  }

  /* A line that has no part in the layout: straight to the nearer side, or round the right side within a column. */
  function aside(one, half, other, otherHalf) {
    const same = Math.abs(one.x - other.x) < half + otherHalf;
    const right = same || other.x > one.x;
    const start = { x: one.x + (right ? half : -half), y: one.y + 5 };
    const end = { x: other.x + (right && !same ? -otherHalf : otherHalf), y: other.y - 5 };
    const out = Math.max(start.x, end.x) + 34;
    const inner = same
      ? [
          { x: out, y: start.y },
          { x: out, y: end.y },
        ]
      : [{ x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }];
    return {
      ...controls(start, end, inner),
      out: `${right ? "" : "-"}50% 5px`,
      in: `${right && !same ? "-" : ""}50% -5px`,
    };
  }

  /* From the side of a card down into the lane of what is general. */
  function intoLane(one, half, other, otherHeight) {
    const side = other.x < one.x ? -1 : 1;
    const start = { x: one.x + side * half, y: one.y };
    const end = { x: other.x, y: other.y - otherHeight / 2 };
    const out = Math.max(40, Math.abs(end.x - start.x) / 3);
    const inner = [
      { x: start.x + side * out, y: start.y },
      { x: end.x, y: end.y - Math.max(40, (end.y - start.y) / 2) },
    ];
    return { ...controls(start, end, inner), out: `${side * 50}% 0px`, in: "0px -50%" };
  }

  /* Points as cytoscape.js wants them: how far along the straight line, and how far beside it. */
  function controls(start, end, points) {
    const dx = end.x - start.x;
    const dy = end.y - start.y;
    const length = Math.hypot(dx, dy) || 1;
    const weights = points.map((p) => ((p.x - start.x) * dx + (p.y - start.y) * dy) / (length * length));
    const distances = points.map((p) => ((p.y - start.y) * dx - (p.x - start.x) * dy) / length);
    return { weights, distances };
  }

  view.curve = { down, aside, intoLane };
})((window.graphmemView = window.graphmemView || {}));

/* Where a press would reach the element: [x, y] in the frame's viewport and [left, top] of the element's box, such that the
 * topmost thing there is the element, something in it, or its label. null when there is no such point.
 * With `point`, only that point is tried. With `still`, the element must also not move from one
 * picture to the next. */
async ([element, point, still]) => {
  if (!element.isConnected) return null;
  let box = element.getBoundingClientRect();
  if (still) {
    await new Promise((resolve) => { requestAnimationFrame(resolve); setTimeout(resolve, 100); });
    const now = element.getBoundingClientRect();
    if (now.x !== box.x || now.y !== box.y || now.width !== box.width || now.height !== box.height) return null;
    box = now;
  }
  const up = (node) => node.assignedSlot || node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
  const reaches = (x, y) => {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    let hit = document.elementFromPoint(x, y);
    while (hit && hit.shadowRoot) { const inner = hit.shadowRoot.elementFromPoint(x, y); if (!inner || inner === hit) break; hit = inner; }
    for (let node = hit; node; node = up(node)) if (node === element || (node.tagName === 'LABEL' && node.control === element)) return true;
    return false;
  };
  if (point) return reaches(point[0], point[1]) ? [...point, box.x, box.y] : null;
  for (const part of element.getClientRects()) {
    if (part.width <= 1 || part.height <= 1) continue;
    for (const [fx, fy] of [[0.5, 0.5], [0.5, 0.25], [0.25, 0.5], [0.75, 0.5], [0.5, 0.75]]) {
      const x = part.x + part.width * fx, y = part.y + part.height * fy;
      if (reaches(x, y)) return [x, y, box.x, box.y];
    }
  }
  return null;
}

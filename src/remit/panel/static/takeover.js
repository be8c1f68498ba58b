// Shows the live page and passes on where it is pressed.
(() => {
  const box = document.getElementById('takeover'), live = document.getElementById('live'), told = document.getElementById('told');
  const csrf = document.querySelector('input[name=csrf]').value;
  let busy = false, number = 0;
  const refresh = () => new Promise((done) => {
    const next = new Image();
    next.onload = () => { live.src = next.src; told.textContent = ''; done(); };
    next.onerror = () => { told.textContent = 'The page cannot be shown now.'; done(); };
    next.src = `${box.dataset.frame}?${++number}`;
  });
  const send = async (fields) => {
    if (busy) return;
    busy = true;
    try {
      const answer = await fetch(box.dataset.act, { method: 'POST', body: new URLSearchParams({ csrf, ...fields }) });
      if (!answer.ok) told.textContent = 'That was not possible.';
      await refresh();
    } finally { busy = false; }
  };
  live.addEventListener('click', (event) => {
    const shown = live.getBoundingClientRect(), ratio = live.naturalWidth / shown.width;
    send({ act: 'press', x: String((event.clientX - shown.x) * ratio), y: String((event.clientY - shown.y) * ratio) });
  });
  box.addEventListener('click', (event) => {
    const what = event.target.dataset && event.target.dataset.do;
    if (what === 'refresh') refresh();
    else if (what) send({ act: 'scroll', down: what === 'down' ? '500' : '-500' });
  });
  refresh();
  setInterval(() => { if (!busy && !document.hidden) refresh(); }, 2000);
})();

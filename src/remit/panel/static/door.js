// Exchanges a one-time token for a cookie, and leads a browser that is let in to its own pages.
(async () => {
  const closed = document.getElementById('closed'), wait = document.getElementById('wait');
  const token = location.hash.slice(1), key = 'remit-prefix';
  const go = (prefix) => location.replace(`/p/${prefix}${location.pathname}`);
  if (document.getElementById('main').hasAttribute('data-lost')) { localStorage.removeItem(key); return; }
  history.replaceState(null, '', location.pathname);
  if (token) {
    closed.hidden = true; wait.hidden = false;
    try {
      const answer = await fetch('/pair', { method: 'POST', body: new URLSearchParams({ token }) });
      if (answer.ok) { const { prefix } = await answer.json(); localStorage.setItem(key, prefix); return go(prefix); }
    } catch { /* the page says what to do */ }
    closed.hidden = false; wait.hidden = true;
  }
  addEventListener('hashchange', () => location.reload()); // the link was opened in the tab that shows this page
  const known = localStorage.getItem(key);
  if (known) go(known);
})();

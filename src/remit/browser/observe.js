/* One pass over a document: what a person could see and use, as plain data.
 *
 * Returns { elements, formElements, json }. `elements[i]` is the element of control i and stays in the page, as does
 * `formElements[i]` of form i; `json` is a string with the data described in observation.py, with `options.only` of all controls
 * that of this element alone, null when it is none. Nothing here changes the page, and no value of a field is ever read.
 */
(options) => {
  const LIMITS = { controls: 20000, nodes: 80000, text: 400, rowText: 400, nodeText: 4000, formText: 1500, overlayText: 3000 };
  const SKIP = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'LINK', 'META', 'BASE', 'OBJECT', 'EMBED', 'PARAM', 'SOURCE', 'TRACK']);
  const ROLES = new Set(['button', 'link', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'checkbox', 'radio', 'switch', 'option',
    'textbox', 'searchbox', 'combobox', 'spinbutton', 'slider', 'treeitem']);
  const LANDMARKS = { HEADER: 'banner', NAV: 'navigation', MAIN: 'main', FOOTER: 'contentinfo', ASIDE: 'complementary', DIALOG: 'dialog' };
  const LANDMARK_ROLES = new Set(['banner', 'navigation', 'main', 'contentinfo', 'complementary', 'dialog', 'alertdialog', 'search', 'region', 'menu', 'menubar', 'tablist', 'toolbar']);
  const INLINE = new Set('SPAN A B I EM STRONG U SMALL SUP SUB MARK CODE ABBR TIME FONT LABEL BDI S Q CITE KBD VAR SAMP'.split(' '));
  const ROW_TAGS = new Set(['TR', 'LI', 'ARTICLE', 'DT', 'OPTION']);
  const CONTEXT_TAGS = new Set([...Object.keys(LANDMARKS), ...ROW_TAGS, 'SECTION', 'FIELDSET', 'FORM']);
  const ROW_ROLES = new Set(['row', 'listitem', 'article']);
  const BUTTON_TYPES = new Set(['submit', 'button', 'image', 'reset']);
  const NO_TEXT_TYPES = new Set(['submit', 'button', 'image', 'reset', 'checkbox', 'radio', 'hidden', 'range', 'color', 'file']);

  const elements = [], controls = [], forms = [], nodes = [], overlays = [];
  const formIds = new Map(), rowTexts = new Map(), spans = new Map(), controlIds = new Map(), rowOf = [], formless = [];
  let truncated = false, before = '', pendingAfter = -1, buttonsSeen = 0;
  const viewWidth = innerWidth, viewHeight = innerHeight;

  const squash = (text, limit) => { const t = text.replace(/\s+/g, ' ').trim(); return t.length > limit ? t.slice(0, limit) : t; };
  const attr = (el, name) => { const value = el.getAttribute(name); return value ? value.trim() : ''; };
  const parentOf = (el) => el.assignedSlot || el.parentElement || (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);
  /* Siblings are followed one by one, which is many times faster than any list of children. */
  const firstOf = (el) => (el.shadowRoot || el).firstChild;
  const givenTo = (el) => { if (el.tagName !== 'SLOT') return null; const given = el.assignedNodes(); return given.length ? given : null; };
  let shadows = false;
  const holds = (el, node) => {
    if (!shadows || el.contains(node)) return el.contains(node);
    for (let up = node; up; up = parentOf(up)) if (up === el) return true;
    return false;
  };
  const shown = (el) => {
    if (el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return true;
    if (getComputedStyle(el).display !== 'contents') return false;
    const parent = parentOf(el);
    return parent ? shown(parent) : true;
  };
  /* A box that no eye can find: clipped to a pixel, or moved off the left or top of the document. */
  const seen = (box) => box.width > 1.5 && box.height > 1.5 && box.right + scrollX > 0 && box.bottom + scrollY > 0;

  /* An ancestor of no size that hides what overflows: how traps for robots, and closed panels, are often hidden. */
  const clipped = (el) => {
    for (let up = parentOf(el), level = 0; up && up !== document.body && level < 8; up = parentOf(up), level++) {
      const box = up.getBoundingClientRect();
      if ((box.width <= 1.5 || box.height <= 1.5) && getComputedStyle(up).overflow !== 'visible' && getComputedStyle(up).display !== 'contents') return true;
    }
    return false;
  };

  const textOf = (el, limit) => {
    const only = el.firstChild;
    if (only && only === el.lastChild && only.nodeType === 3 && !el.shadowRoot) return squash(only.data, limit);
    let out = '';
    const walk = (node) => {
      if (out.length > limit * 2) return;
      if (node.nodeType === 3) { out += node.data; return; }
      if (node.nodeType !== 1 || SKIP.has(node.tagName)) return;
      if (node.tagName === 'IMG') { out += ' ' + attr(node, 'alt') + ' '; return; }
      if (node.tagName === 'SELECT' || node.tagName === 'TEXTAREA' || node.tagName === 'INPUT') { out += ' '; return; }
      if (node.tagName === 'svg') { const title = node.querySelector('title'); if (title) out += ' ' + title.textContent + ' '; return; }
      if (node.tagName === 'BR') { out += '\n'; return; }
      if (node !== el && node.childElementCount < 3 && !node.checkVisibility({ visibilityProperty: true })
          && getComputedStyle(node).display !== 'contents') return;
      const inline = INLINE.has(node.tagName);
      if (!inline) out += ' ';
      const given = givenTo(node);
      if (given) for (const child of given) walk(child);
      else for (let child = firstOf(node); child; child = child.nextSibling) walk(child);
      if (!inline) out += ' ';
    };
    walk(el);
    return squash(out, limit);
  };
  const byIds = (el, ids) => ids.split(/\s+/).map((id) => { const t = el.getRootNode().getElementById ? el.getRootNode().getElementById(id) : null; return t ? squash(t.textContent, 200) : ''; }).filter(Boolean).join(' ');

  const roleOf = (el) => {
    const given = attr(el, 'role').split(/\s+/)[0].toLowerCase();
    if (given && given !== 'presentation' && given !== 'none') return given;
    const tag = el.tagName;
    if (tag === 'A' || tag === 'AREA') return el.hasAttribute('href') ? 'link' : 'generic';
    if (tag === 'BUTTON' || tag === 'SUMMARY') return 'button';
    if (tag === 'SELECT') return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    if (tag === 'TEXTAREA') return 'textbox';
    if (tag === 'INPUT') {
      if (BUTTON_TYPES.has(el.type)) return 'button';
      if (el.type === 'checkbox' || el.type === 'radio') return el.type;
      if (el.type === 'search') return 'searchbox';
      if (el.type === 'number') return 'spinbutton';
      if (el.type === 'range') return 'slider';
      return 'textbox';
    }
    return el.isContentEditable ? 'textbox' : 'generic';
  };
  /* Accessible name, after "Accessible Name and Description Computation 1.2", the steps that occur in practice. */
  /* `el.labels` searches the whole document for each element; one pass over a root's labels serves all its fields. */
  const labelsIn = new Map();
  const labelsOf = (el) => {
    const root = el.getRootNode();
    if (!labelsIn.has(root)) {
      const found = new Map();
      for (const label of root.querySelectorAll ? root.querySelectorAll('label') : []) if (label.control) found.set(label.control, [...(found.get(label.control) || []), label]);
      labelsIn.set(root, found);
    }
    return labelsIn.get(root).get(el) || [];
  };
  const labelOf = (el) => {
    const parts = [];
    for (const label of labelsOf(el)) parts.push(textOf(label, 200));
    return squash(parts.join(' '), 200);
  };
  const nameOf = (el, text, label) => {
    const labelled = attr(el, 'aria-labelledby');
    if (labelled) { const found = byIds(el, labelled); if (found) return squash(found, LIMITS.text); }
    if (attr(el, 'aria-label')) return squash(attr(el, 'aria-label'), LIMITS.text);
    if (label) return label;
    if (el.tagName === 'INPUT') {
      if (el.type === 'image') return squash(attr(el, 'alt') || attr(el, 'value') || attr(el, 'title'), LIMITS.text);
      if (BUTTON_TYPES.has(el.type)) return squash(attr(el, 'value') || attr(el, 'title') || (el.type === 'submit' ? 'Submit' : el.type === 'reset' ? 'Reset' : ''), LIMITS.text);
    }
    if (text && el.tagName !== 'SELECT' && el.tagName !== 'TEXTAREA') return text;
    return squash(attr(el, 'title') || attr(el, 'placeholder') || attr(el, 'aria-placeholder') || '', LIMITS.text);
  };

  const isNative = (el) => {
    switch (el.tagName) {
      case 'A': case 'AREA': return el.hasAttribute('href');
      case 'BUTTON': case 'SELECT': case 'TEXTAREA': case 'SUMMARY': return true;
      case 'INPUT': return el.type !== 'hidden';
      default: return false;
    }
  };
  /* How sure it is that this element reacts: native control, role, a handler, or only the pointer's shape. */
  const rankOf = (el, inside) => {
    if (isNative(el)) return 'native';
    const role = attr(el, 'role').toLowerCase();
    if (ROLES.has(role)) return 'role';
    if (el.isContentEditable && !(el.parentElement && el.parentElement.isContentEditable)) return 'role';
    if (inside) return '';
    if (el.hasAttribute('onclick') || (el.hasAttribute('tabindex') && el.tabIndex >= 0 && el.tagName !== 'IFRAME' && !/^(DIV|SECTION|MAIN|DIALOG)$/.test(el.tagName)) || el.hasAttribute('data-href') || el.hasAttribute('data-next')) return 'handler';
    return '';
  };
  const pointerRank = (el) => {
    let direct = false;
    for (let child = el.firstChild; child; child = child.nextSibling) if (child.nodeType === 3 && child.data.trim()) { direct = true; break; }
    if (!direct && !(el.childElementCount === 1 && /^(svg|IMG|I)$/.test(el.firstElementChild.tagName))) return '';
    if (getComputedStyle(el).getPropertyValue('cursor') !== 'pointer') return '';
    return 'pointer';
  };

  const addForm = (el, kind, context) => {
    const id = forms.length;
    formIds.set(el, id);
    const labelled = attr(el, 'aria-labelledby');
    const inner = el.querySelector('h1,h2,h3,h4,h5,h6,[role=heading],legend');
    forms.push({
      id, kind, name: squash((labelled && byIds(el, labelled)) || attr(el, 'aria-label'), 200),
      heading: inner && shown(inner) ? textOf(inner, 200) : '', outer_heading: context.heading || '',
      action: kind === 'form' ? String(el.getAttribute('action') === null ? '' : new URL(attr(el, 'action') || '.', document.baseURI.startsWith('http') ? document.baseURI : 'http://localhost/').href) : '',
      has_action: el.hasAttribute('action') && attr(el, 'action') !== '',
      method: kind === 'form' ? (attr(el, 'method') || 'get').toLowerCase() : '', html_id: attr(el, 'id'), html_name: attr(el, 'name'), html_class: attr(el, 'class').slice(0, 200),
      section: context.section, dialog: context.dialog, visible: shown(el), text: '', hidden_names: kind === 'form' ? [...el.querySelectorAll('input[type=hidden]')].slice(0, 30).map((h) => attr(h, 'name')) : [],
    });
    return id;
  };

  const addControl = (el, rank, context) => {
    if (controls.length >= LIMITS.controls) { truncated = true; return -1; }
    const id = controls.length, tag = el.tagName, role = roleOf(el), field = tag === 'INPUT' || tag === 'SELECT' || tag === 'TEXTAREA';
    const isText = role === 'textbox' || role === 'searchbox' || role === 'spinbutton' || (role === 'combobox' && tag === 'INPUT');
    const box = el.getBoundingClientRect(), visible = shown(el) && (seen(box) || (tag === 'INPUT' && (el.type === 'checkbox' || el.type === 'radio'))) && !(isText && clipped(el));
    const text = field ? '' : textOf(el, LIMITS.text), label = field ? labelOf(el) : '';
    const form = el.form || context.inForm || null, control = { id, tag: tag.toLowerCase(), role, rank, name: nameOf(el, text, label) };
    const put = (key, value) => { if (value !== '' && value !== false && value !== null && value !== undefined) control[key] = value; };
    put('text', text); put('label', label); put('visible', visible);
    if (tag === 'INPUT' || tag === 'BUTTON') put('type', el.type);
    if (form && formIds.has(form)) control.form = formIds.get(form);
    put('html_id', attr(el, 'id')); put('html_name', attr(el, 'name')); put('html_class', attr(el, 'class').slice(0, 160));
    put('title', squash(attr(el, 'title'), 200)); put('section', context.section); put('heading', context.heading); put('dialog', context.dialog);
    put('disabled', el.disabled === true || attr(el, 'aria-disabled') === 'true' || ((field || tag === 'BUTTON') && el.closest('fieldset:disabled') !== null));
    put('aria_hidden', context.ariaHidden || attr(el, 'aria-hidden') === 'true'); put('inert', context.inert);
    if (el.hasAttribute('tabindex')) put('untabbable', el.tabIndex < 0);
    if (el.hasAttribute('aria-expanded')) control.expanded = attr(el, 'aria-expanded') === 'true';
    if (tag === 'SUMMARY' && el.parentElement) control.expanded = el.parentElement.open === true;
    put('haspopup', attr(el, 'aria-haspopup')); put('form_method', attr(el, 'formmethod').toLowerCase()); put('form_action', attr(el, 'formaction') && el.formAction); put('current', attr(el, 'aria-current') !== '' && attr(el, 'aria-current') !== 'false');
    put('selected', attr(el, 'aria-selected') === 'true' || attr(el, 'aria-pressed') === 'true'); put('controls', attr(el, 'aria-controls'));
    if (tag === 'A' || tag === 'AREA') { if (el.hasAttribute('href')) { put('href', el.href && String(el.href)); put('raw_href', attr(el, 'href').slice(0, 400)); } put('rel', attr(el, 'rel')); put('download', el.hasAttribute('download')); put('target', attr(el, 'target')); }
    if (field) {
      put('placeholder', squash(attr(el, 'placeholder'), 200)); put('autocomplete', attr(el, 'autocomplete').toLowerCase());
      put('readonly', el.readOnly === true); put('required', el.required === true); put('inputmode', attr(el, 'inputmode')); put('invalid', attr(el, 'aria-invalid') === 'true');
      put('pattern', attr(el, 'pattern').slice(0, 100)); if (el.maxLength > 0) control.maxlength = el.maxLength;
      if (tag === 'SELECT') control.options = [...el.options].slice(0, 60).map((o) => squash(o.textContent, 80));
      if (el.type === 'checkbox' || el.type === 'radio') put('checked', el.checked);
      if (isText && tag === 'INPUT' && el.type !== 'password') { const style = getComputedStyle(el); put('masked', !!style.webkitTextSecurity && style.webkitTextSecurity !== 'none'); }
      if (!NO_TEXT_TYPES.has(el.type) || tag === 'SELECT') { put('before', squash(before, 2000).slice(-160)); before = ''; pendingAfter = -1; }
      else if (el.type === 'checkbox' || el.type === 'radio') { put('before', squash(before, 2000).slice(-160)); before = ''; pendingAfter = id; control.after = ''; }
    }
    if (visible) {
      control.box = [Math.round(box.x), Math.round(box.y), Math.round(box.width), Math.round(box.height)];
      const x = box.x + box.width / 2, y = box.y + box.height / 2;
      if (x >= 0 && y >= 0 && x < viewWidth && y < viewHeight && !context.inert) {
        const hit = (el.getRootNode().elementFromPoint ? el.getRootNode() : document).elementFromPoint(x, y);
        let top = hit === el || (hit !== null && (el.contains(hit) || hit.contains(el) && hit.shadowRoot === null && getComputedStyle(el).pointerEvents === 'none'));
        if (!top && hit !== null) { if (hit.tagName === 'LABEL' && (hit.control === el)) top = true; for (let up = hit; !top && up; up = parentOf(up)) if (up === el) top = true; }
        control.topmost = top;
      }
    }
    if (role === 'button' || (tag === 'INPUT' && BUTTON_TYPES.has(el.type))) buttonsSeen++;
    if (!form && isText && visible) formless.push(id);
    rowOf.push(context.row); elements.push(el); controls.push(control); controlIds.set(el, id);
    return id;
  };

  /* Space or a line break belongs behind what was read last, so that neighbours do not run together. */
  const separate = (space) => { const last = nodes[nodes.length - 1]; if (last && !(last.x || '').endsWith(space)) last.x = (last.x || '') + space; };
  /* Laid out where no eye can find it: text for screen readers in a box of a pixel, or moved off the left or top. */
  const offPage = (el) => {
    if (!el.firstChild || el === document.documentElement || el === document.body) return false;
    const box = el.getBoundingClientRect();
    if (box.width === 0 && box.height === 0) return false;
    return (box.width <= 1.5 && box.height <= 1.5) || box.right + scrollX <= 0 || box.bottom + scrollY <= 0;
  };

  const enterContext = (el, context) => {
    const tag = el.tagName;
    if (!el.hasAttributes() && !CONTEXT_TAGS.has(tag)) return context;
    const role = attr(el, 'role').toLowerCase();
    let next = context;
    const change = (changes) => { next = { ...next, ...changes }; };
    const landmark = LANDMARK_ROLES.has(role) ? role : LANDMARKS[tag];
    if (landmark) {
      const label = squash(attr(el, 'aria-label') || (attr(el, 'aria-labelledby') && byIds(el, attr(el, 'aria-labelledby'))) || '', 80);
      change({ section: label ? `${landmark}: ${label}` : landmark, dialog: next.dialog || landmark === 'dialog' || landmark === 'alertdialog', scope: { heading: '' } });
    } else if (tag === 'SECTION' || tag === 'ARTICLE' || tag === 'FIELDSET' || tag === 'FORM') change({ scope: { heading: '', outer: next.scope } });
    if (ROW_TAGS.has(tag) || ROW_ROLES.has(role)) change({ row: el });
    if (attr(el, 'aria-hidden') === 'true') change({ ariaHidden: true });
    if (el.inert) change({ inert: true });
    return next;
  };
  const headingIn = (scope) => { for (let s = scope; s; s = s.outer) if (s.heading) return s.heading; return ''; };

  const classes = (el) => { const c = typeof el.className === 'string' ? el.className : attr(el, 'class'); return c.replace(/\s+/g, ' ').trim().slice(0, 120); };
  const addNode = (el, parent, controlId) => {
    if (nodes.length >= LIMITS.nodes) { truncated = true; return -1; }
    const node = { p: parent, t: el.tagName.toLowerCase() };
    const put = (key, value) => { if (value) node[key] = value; };
    put('r', attr(el, 'role').toLowerCase()); put('c', classes(el)); put('n', squash(attr(el, 'aria-label'), 200)); put('h', squash(attr(el, 'title'), 400));
    if (controlId >= 0) node.k = controlId;
    if (el.tagName === 'TD' || el.tagName === 'TH') { if (el.colSpan > 1) node.cs = el.colSpan; if (el.rowSpan !== 1) node.rs = el.rowSpan; put('sc', attr(el, 'scope')); }
    else if (attr(el, 'aria-colspan') || attr(el, 'aria-rowspan')) { put('cs', +attr(el, 'aria-colspan')); put('rs', +attr(el, 'aria-rowspan')); }
    put('dt', attr(el, 'datetime') || (el.tagName === 'TIME' ? '' : attr(el, 'data-sort-value') || attr(el, 'data-order')));
    put('ac', +attr(el, 'aria-rowcount') || +attr(el, 'aria-setsize')); if (el.scrollHeight > el.clientHeight + 40 && el.clientHeight > 80 && /auto|scroll/.test(getComputedStyle(el).overflowY)) node.so = el.scrollHeight - el.clientHeight;
    put('hd', attr(el, 'headers')); put('i', attr(el, 'id'));
    if (el.tagName === 'IMG') put('x', squash(attr(el, 'alt'), 200));
    nodes.push(node);
    return nodes.length - 1;
  };

  const visit = (el, context, parent, depth) => {
    if (SKIP.has(el.tagName) || depth > 400) return;
    if (el.shadowRoot) shadows = true;
    const display = el.tagName === 'OPTION' || el.tagName === 'OPTGROUP' ? 'none' : '';
    if (display) return;
    let next = enterContext(el, context);
    const heading = headingIn(next.scope);
    if (el.tagName === 'FORM') { next = { ...next, form: el }; before = ''; pendingAfter = -1; addForm(el, 'form', { ...next, heading }); }
    const startButtons = buttonsSeen;
    let rank = rankOf(el, context.inControl), visible = true;
    if (options.content || !rank) visible = shown(el) || getComputedStyle(el).display === 'contents';
    if (!rank && !context.inControl && visible && el.tagName !== 'LABEL' && el.tagName !== 'BODY' && el.tagName !== 'HTML') rank = pointerRank(el);
    const id = rank ? addControl(el, rank, { ...next, heading, inForm: context.form }) : -1;
    const gone = context.gone || (options.content && visible && offPage(el));
    if (gone && !next.gone) next = { ...next, gone: true };
    const inside = next.inControl || rank === 'native' || rank === 'role' ? (next.inControl ? next : { ...next, inControl: true }) : next;
    let index = -1;
    const skipText = el.tagName === 'SELECT' || el.tagName === 'TEXTAREA' || el.tagName === 'svg' || el.tagName === 'IFRAME' || (el.isContentEditable && el.getAttribute('contenteditable') !== null);
    if (options.content && visible && !gone) {
      if (el.tagName !== 'BR') index = addNode(el, parent, id);
      else if (parent >= 0) separate('\n');
    }
    const nodeParent = index >= 0 ? index : parent;
    if (!skipText) {
      const given = givenTo(el);
      for (let at = 0, child = given ? given[0] : firstOf(el); child; child = given ? given[++at] : child.nextSibling) {
        if (child.nodeType === 3) {
          const data = child.data;
          if (!data.trim()) { if (index >= 0) separate(' '); continue; }
          if (visible) {
            if (!inside.inControl) { before += ' ' + data; if (before.length > 4000) before = before.slice(-400); }
            if (pendingAfter >= 0 && !inside.inControl) { controls[pendingAfter].after = squash(controls[pendingAfter].after + ' ' + data, 160); }
            if (index >= 0) {
              if (nodes.length - 1 > index) { nodes.push({ p: index, t: '#text', x: data.replace(/[ \t\r\n\f]+/g, ' ').slice(0, LIMITS.nodeText) }); }
              else nodes[index].x = ((nodes[index].x || '') + data.replace(/[ \t\r\n\f]+/g, ' ')).slice(0, LIMITS.nodeText);
            }
          }
        } else if (child.nodeType === 1) visit(child, inside, nodeParent, depth + 1);
      }
    } else if (el.tagName === 'svg' && index >= 0) { const title = el.querySelector('title'); if (title) nodes[index].x = squash(title.textContent, 200); }
    if (/^H[1-6]$/.test(el.tagName) || attr(el, 'role') === 'heading' || el.tagName === 'LEGEND' || el.tagName === 'CAPTION') { if (visible) { const t = textOf(el, 120); if (t) next.scope.heading = context.scope.heading = t; } }
    spans.set(el, buttonsSeen - startButtons);
    if (index >= 0 && index === nodes.length - 1 && !(nodes[index].x || '').trim() && id < 0 && !nodes[index].dt && !nodes[index].so && el.tagName !== 'TD' && el.tagName !== 'TH' && el.tagName !== 'TR') { const space = nodes.pop().x; if (space) separate(space); }
  };
  const root = document.documentElement;
  visit(root, { section: '', heading: '', dialog: false, row: null, ariaHidden: false, inert: false, inControl: false, scope: { heading: '' } }, -1, 0);

  /* Fields outside any form: the smallest ancestor that also holds a button stands in for the form. */
  const isSecret = (id) => elements[id].type === 'password' || controls[id].masked;
  const within = (id, el) => { for (let up = parentOf(elements[id]); up; up = parentOf(up)) if (up === el) return true; return false; };
  const groupOf = new Map();
  for (const id of formless) {
    let up = parentOf(elements[id]);
    while (up && up !== document.body && !(spans.get(up) > 0)) up = parentOf(up);
    groupOf.set(id, up || root);
  }
  /* A button beside one field alone (show the password, clear the name) must not tear user name and password apart. */
  for (const id of formless) {
    if (!isSecret(id) || formless.some((other) => other !== id && within(other, groupOf.get(id)))) continue;
    let up = parentOf(groupOf.get(id));
    while (up && up !== document.body && !formless.some((other) => other !== id && within(other, up))) up = parentOf(up);
    if (!up || up === document.body) continue;
    const inside = formless.filter((other) => within(other, up));
    if (inside.length <= 3 && spans.get(up) > spans.get(groupOf.get(id))) groupOf.set(id, up);
  }
  for (const id of formless) {
    if (!isSecret(id)) continue;
    const group = groupOf.get(id), inside = formless.filter((other) => within(other, group));
    if (group !== document.body && group !== root && inside.length <= 3) for (const other of inside) groupOf.set(other, group);
  }
  for (const id of formless) {
    const up = groupOf.get(id);
    if (!formIds.has(up)) addForm(up, 'group', { section: controls[id].section || '', heading: controls[id].heading || '', dialog: controls[id].dialog || false });
    controls[id].form = formIds.get(up);
  }
  for (const [el, id] of formIds) {
    forms[id].text = textOf(el, LIMITS.formText);
    if (forms[id].kind !== 'group') continue;
    for (let c = 0; c < controls.length; c++) {
      if (controls[c].form !== undefined) continue;
      if (elements[c] !== el && holds(el, elements[c])) controls[c].form = id;
    }
  }
  /* The visible text of a control's own row tells equal controls apart. Without a row element, the nearest repeated ancestor is the row. */
  const counts = new Map();
  for (const c of controls) { const key = c.role + '\n' + c.name; counts.set(key, (counts.get(key) || 0) + 1); }
  for (let id = 0; id < controls.length; id++) {
    let row = rowOf[id];
    if (!row && counts.get(controls[id].role + '\n' + controls[id].name) > 1) {
      let up = elements[id], found = null;
      for (let level = 0; level < 6 && up && up !== document.body; level++, up = parentOf(up)) {
        const parent = up.parentElement; if (!parent || up.tagName === 'A' && level === 0) continue;
        let same = 0;
        for (let s = parent.firstElementChild, n = 0; s && n < 40; s = s.nextElementSibling, n++) if (s !== up && s.tagName === up.tagName && s.className === up.className && s.children.length) { same++; break; }
        if (same && up.children.length > 0 && up.textContent.trim().length > (controls[id].text || '').length + 2) { found = up; break; }
      }
      row = found;
    }
    if (!row) continue;
    if (!rowTexts.has(row)) rowTexts.set(row, textOf(row, LIMITS.rowText));
    const text = rowTexts.get(row);
    if (text) controls[id].row = text;
  }

  /* What floats above the page: dialogs, and fixed or sticky boxes that are hit at sample points. */
  const floating = new Set();
  for (const el of document.querySelectorAll('dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]')) if (shown(el)) floating.add(el);
  const hitAt = (x, y) => { let hit = document.elementFromPoint(x, y); while (hit && hit.shadowRoot) { const inner = hit.shadowRoot.elementFromPoint(x, y); if (!inner || inner === hit) break; hit = inner; } return hit; };
  for (const fx of [0.08, 0.3, 0.5, 0.7, 0.92]) for (const fy of [0.03, 0.2, 0.5, 0.8, 0.97]) {
    for (let up = hitAt(fx * viewWidth, fy * viewHeight), outer = null; up; up = parentOf(up)) {
      const position = up === document.body || up === root ? '' : getComputedStyle(up).position;
      if (position === 'fixed' || position === 'sticky') outer = up;
      if (!parentOf(up) && outer) floating.add(outer);
    }
  }
  for (const el of floating) {
    const box = el.getBoundingClientRect(), inside = [];
    for (let c = 0; c < controls.length; c++) if (holds(el, elements[c])) inside.push(c);
    const role = attr(el, 'role').toLowerCase() || (el.tagName === 'DIALOG' ? 'dialog' : '');
    overlays.push({ role, modal: attr(el, 'aria-modal') === 'true' || (el.tagName === 'DIALOG' && el.matches(':modal')), name: squash(attr(el, 'aria-label') || (attr(el, 'aria-labelledby') && byIds(el, attr(el, 'aria-labelledby'))) || '', 200),
      text: textOf(el, LIMITS.overlayText), controls: inside, html_id: attr(el, 'id'), html_class: classes(el),
      position: getComputedStyle(el).position, box: [Math.round(box.x), Math.round(box.y), Math.round(box.width), Math.round(box.height)] });
  }

  const picked = options.only ? controlIds.get(options.only) : -1;
  if (picked === undefined) return { elements, formElements: [], json: null };
  if (picked >= 0) for (const overlay of overlays) overlay.controls = overlay.controls.filter((id) => id === picked);
  const json = JSON.stringify({
    url: location.href, title: squash(document.title, 300), language: attr(root, 'lang'), ready: document.readyState === 'complete', truncated,
    viewport: [viewWidth, viewHeight], scroll: [Math.round(scrollX), Math.round(scrollY), root.scrollWidth, root.scrollHeight],
    controls: picked < 0 ? controls : [controls[picked]], forms, overlays, nodes,
  });
  return { elements, formElements: [...formIds.keys()], json };
}

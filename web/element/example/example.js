// Plain script, no framework: this is all that a page has to do.
const map = document.querySelector('voelgoed-seat-map');
const at = (id) => document.getElementById(id);

const wish = new URLSearchParams(location.search);
for (const name of ['event', 'server', 'token']) {
  if (wish.has(name)) map.setAttribute(name, wish.get(name));
}

map.addEventListener('ready', ({ detail }) => {
  at('name').textContent = detail.event.name;
  at('status').textContent = `${detail.seats} seats`;
});

map.addEventListener('cart', ({ detail }) => {
  const { holds, total_cents, currency } = detail;
  const items = holds.map((hold) => {
    const item = document.createElement('li');
    item.textContent = hold.label ?? `${hold.quantity} ×`;
    return item;
  });
  at('holds').replaceChildren(...items);
  const money = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  at('total').textContent = money.format(total_cents / 100);
  at('message').textContent = '';
});

for (const name of ['refused', 'failed']) {
  map.addEventListener(name, ({ detail }) => {
    at('message').textContent = detail.message;
  });
}

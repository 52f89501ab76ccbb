/** The element's own tree: the map's place, a card, a banner, and a voice for screen readers. */
export type Shell = Readonly<{
  root: HTMLElement;
  stage: HTMLElement;
  card: HTMLElement;
  banner: HTMLElement;
  voice: HTMLElement;
}>;

const STYLES = `
:host { display: block; position: relative; min-height: 320px; contain: content;
  font-family: var(--seat-map-font, system-ui, sans-serif); }
:host([hidden]) { display: none; }
.shell, .stage { position: absolute; inset: 0; }
.card { position: absolute; z-index: 2; max-width: 240px; padding: 10px 12px; border-radius: 12px;
  pointer-events: none; font-size: 13px; line-height: 1.35; color: var(--card-text);
  background: var(--card-background); border: 1px solid var(--card-line);
  box-shadow: 0 2px 4px rgb(0 0 0 / .08), 0 8px 28px rgb(0 0 0 / .18);
  transform: translate(-50%, calc(-100% - 10px)); }
.card.below { transform: translate(-50%, 10px); }
.card[hidden], .banner[hidden] { display: none; }
.card strong { display: block; font-size: 14px; }
.card .line { display: flex; justify-content: space-between; gap: 16px; }
.card .faint { color: var(--card-muted); }
.banner { position: absolute; z-index: 3; left: 50%; top: 12px; transform: translateX(-50%);
  padding: 8px 14px; border-radius: 999px; font-size: 13px; font-weight: 600;
  color: var(--card-background); background: var(--card-text); white-space: nowrap; }
.voice { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
`;

export function shellIn(shadow: ShadowRoot): Shell {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  shadow.adoptedStyleSheets = [sheet];
  const make = (name: string, parent: Node) => {
    const made = shadow.ownerDocument.createElement('div');
    made.className = name;
    parent.appendChild(made);
    return made;
  };
  const root = make('shell', shadow);
  const shell = {
    root,
    stage: make('stage', root),
    card: make('card', root),
    banner: make('banner', root),
    voice: make('voice', root),
  };
  shell.card.setAttribute('part', 'card');
  shell.card.hidden = true;
  shell.banner.setAttribute('part', 'banner');
  shell.banner.setAttribute('role', 'status');
  shell.banner.hidden = true;
  shell.voice.setAttribute('aria-live', 'polite');
  return shell;
}

export type CardLine = Readonly<{ text: string; right?: string; faint?: boolean }>;

/** A card beside a point; below it where there is no room above. */
export function showCard(
  { card, root }: Shell,
  title: string,
  lines: readonly CardLine[],
  at: Readonly<{ x: number; y: number; radius: number }>,
): void {
  const make = card.ownerDocument;
  const heading = make.createElement('strong');
  heading.textContent = title;
  const rows = lines.map(({ text, right, faint }) => {
    const row = make.createElement('div');
    row.className = faint ? 'line faint' : 'line';
    const words = [text, right].filter((word) => word !== undefined);
    row.append(
      ...words.map((word) => {
        const part = make.createElement('span');
        part.textContent = word;
        return part;
      }),
    );
    return row;
  });
  card.replaceChildren(heading, ...rows);
  const isBelow = at.y < 130;
  const edge = Math.min(130, root.clientWidth / 2);
  card.classList.toggle('below', isBelow);
  card.style.left = `${Math.min(Math.max(at.x, edge), root.clientWidth - edge)}px`;
  card.style.top = `${at.y + (isBelow ? at.radius : -at.radius)}px`;
  card.hidden = false;
}

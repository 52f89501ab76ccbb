/** Every colour of the map. A page may hand in its own; any CSS colour will do. */
export type Theme = Readonly<{
  background: string;
  /** Under seats, and for sections with nothing left. */
  surface: string;
  line: string;
  text: string;
  muted: string;
  stage: string;
  stageText: string;
  /** Available seats, from the cheapest to the dearest. */
  prices: readonly string[];
  held: string;
  sold: string;
  soldMark: string;
  blocked: string;
  mine: string;
  mineMark: string;
  /** The ring around what is pointed at or found. */
  focus: string;
  danger: string;
  font: string;
  /** For those who look for what is not to be had; without it free seats stand out. */
  staff?: StaffColours;
}>;

/** Of states that stand out for staff; a mark is drawn on each, with a shape of its own. */
export type StaffColours = Readonly<{
  held: string;
  sold: string;
  blocked: string;
  /** Blocked, with a ticket that needs another seat. */
  reseat: string;
  /** Kept for who comes with a wheelchair. */
  kept: string;
  mark: string;
}>;

/** Eight colours that stay apart for people who see few of them. */
export const LIGHT: Theme = {
  background: '#f6f7f9',
  surface: '#e6e9ef',
  line: '#d3d8e1',
  text: '#1b2230',
  muted: '#687286',
  stage: '#2b3242',
  stageText: '#ffffff',
  prices: ['#0d8577', '#2f6fed', '#7c4ddb', '#c4317c', '#c94f1a', '#8f6a00', '#3f7d31', '#475a7a'],
  held: '#b0813a',
  sold: '#d5dae2',
  soldMark: '#98a2b3',
  blocked: '#dfe3ea',
  mine: '#111827',
  mineMark: '#ffffff',
  focus: '#111827',
  danger: '#d92d20',
  font: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
};

export const DARK: Theme = {
  ...LIGHT,
  background: '#10141c',
  surface: '#1e2531',
  line: '#303a4b',
  text: '#eef1f6',
  muted: '#97a3b8',
  stage: '#cfd6e4',
  stageText: '#151a24',
  prices: ['#35c7b6', '#5b93ff', '#a682ff', '#f06aa8', '#ff8f5c', '#e5b93c', '#7cc268', '#93a6c8'],
  held: '#d8a657',
  sold: '#2b3443',
  soldMark: '#5d6a80',
  blocked: '#232b38',
  mine: '#ffffff',
  mineMark: '#111827',
  focus: '#ffffff',
  danger: '#ff6b5e',
};

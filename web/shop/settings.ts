export type Settings = Readonly<{ demo: boolean; organization: string | null }>;

/** What the server wrote into the page: the only thing known before the first request. */
function readSettings(): Settings {
  const text = document.querySelector<HTMLMetaElement>('meta[name=voelgoed]')?.content;
  const { demo = false, organization = null } = text ? JSON.parse(text) : {};
  return { demo, organization };
}

export const settings = readSettings();

/** Tells the other tabs of this browser that a cart has changed, and hears of theirs. */
type Told = Readonly<{ event_id: string }>;

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('voelgoed') : null;
const listeners = new Set<(told: Told) => void>();

channel?.addEventListener('message', ({ data }) => {
  for (const listener of listeners) listener(data as Told);
});

export function tellTabs(told: Told): void {
  channel?.postMessage(told);
}

export function onOtherTab(listener: (told: Told) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

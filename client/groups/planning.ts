import type * as shape from '#shapes';
import type { Call, Options } from './call.ts';

export type Planning = ReturnType<typeof planning>;

/** What is done before an event is on sale. */
export function planning(call: Call) {
  return {
    planning: { ...events(call), ...steps(call) },
    venues: venues(call),
    layouts: { ...layouts(call), ...drafts(call) },
    policy: {
      get: (options?: Options) => call('GET /api/admin/policy', {}, options),
      /** Every field: its kind, default, range and meaning. */
      fields: (options?: Options) => call('GET /api/admin/policy/fields', {}, options),
      /** The fields that are named; the others stay. */
      change: (changes: shape.Policy, options?: Options) =>
        call('PUT /api/admin/policy', { body: changes }, options),
    },
  };
}

/** Events as their organiser sees them, drafts too. */
function events(call: Call) {
  return {
    list: (query?: shape.EventSearch, options?: Options) =>
      call('GET /api/admin/events', { query }, options),
    get: (event_id: string, options?: Options) =>
      call('GET /api/admin/events/:id', { params: { id: event_id } }, options),
    /** What it has sold, and what its cancelling would concern. */
    figures: (event_id: string, options?: Options) =>
      call('GET /api/admin/events/:id/figures', { params: { id: event_id } }, options),
    create: (wish: shape.NewEvent, options?: Options) =>
      call('POST /api/admin/events', { body: wish }, options),
    change: (event_id: string, change: shape.EventChange, options?: Options) =>
      call('PATCH /api/admin/events/:id', { params: { id: event_id }, body: change }, options),
    /** Pins a version of a layout, or names zones of general admission. */
    setLayout: (event_id: string, choice: shape.EventLayoutChoice, options?: Options) =>
      call('PUT /api/admin/events/:id/layout', { params: { id: event_id }, body: choice }, options),
    setPrices: (event_id: string, prices: shape.PriceList, options?: Options) =>
      call('PUT /api/admin/events/:id/prices', { params: { id: event_id }, body: prices }, options),
    /** Another layout under an event on sale; a dry run tells what it would mean. */
    migrate: (event_id: string, migration: shape.EventMigration, options?: Options) =>
      call(
        'POST /api/admin/events/:id/layout/migrate',
        { params: { id: event_id }, body: migration },
        options,
      ),
    /** Who may enter a zone that is open to named people only. */
    whitelist: (event_id: string, zone_id: string, options?: Options) =>
      call(
        'GET /api/admin/events/:id/zones/:zone_id/whitelist',
        { params: { id: event_id, zone_id } },
        options,
      ),
    setWhitelist: (event_id: string, zone_id: string, people: shape.Whitelist, options?: Options) =>
      call(
        'PUT /api/admin/events/:id/zones/:zone_id/whitelist',
        { params: { id: event_id, zone_id }, body: people },
        options,
      ),
  };
}

/** From draft to archive. */
function steps(call: Call) {
  return {
    /** Puts it on sale. */
    publish: (event_id: string, body: shape.StepReason = {}, options?: Options) =>
      call('POST /api/admin/events/:id/publish', { params: { id: event_id }, body }, options),
    /** The doors are open. */
    open: (event_id: string, body: shape.StepReason = {}, options?: Options) =>
      call('POST /api/admin/events/:id/open', { params: { id: event_id }, body }, options),
    end: (event_id: string, body: shape.StepReason = {}, options?: Options) =>
      call('POST /api/admin/events/:id/end', { params: { id: event_id }, body }, options),
    cancel: (event_id: string, body: shape.StepReason = {}, options?: Options) =>
      call('POST /api/admin/events/:id/cancel', { params: { id: event_id }, body }, options),
    postpone: (event_id: string, body: shape.StepReason = {}, options?: Options) =>
      call('POST /api/admin/events/:id/postpone', { params: { id: event_id }, body }, options),
    archive: (event_id: string, body: shape.StepReason = {}, options?: Options) =>
      call('POST /api/admin/events/:id/archive', { params: { id: event_id }, body }, options),
  };
}

function venues(call: Call) {
  return {
    list: (query?: shape.PageQuery, options?: Options) =>
      call('GET /api/admin/venues', { query }, options),
    get: (venue_id: string, options?: Options) =>
      call('GET /api/admin/venues/:id', { params: { id: venue_id } }, options),
    create: (wish: shape.NewVenue, options?: Options) =>
      call('POST /api/admin/venues', { body: wish }, options),
    change: (venue_id: string, change: shape.VenueChange, options?: Options) =>
      call('PATCH /api/admin/venues/:id', { params: { id: venue_id }, body: change }, options),
  };
}

function layouts(call: Call) {
  return {
    list: (query?: shape.LayoutSearch, options?: Options) =>
      call('GET /api/admin/layouts', { query }, options),
    /** The version that is asked for, else the newest, and a list of all. */
    get: (layout_id: string, query?: shape.VersionQuery, options?: Options) =>
      call('GET /api/admin/layouts/:id', { params: { id: layout_id }, query }, options),
    /** With every id. */
    config: (layout_id: string, query?: shape.VersionQuery, options?: Options) =>
      call('GET /api/admin/layouts/:id/config', { params: { id: layout_id }, query }, options),
    diff: (layout_id: string, query?: shape.DiffQuery, options?: Options) =>
      call('GET /api/admin/layouts/:id/diff', { params: { id: layout_id }, query }, options),
    /** Turns the draft active; it never changes again. */
    activate: (layout_id: string, body: shape.VersionStep = {}, options?: Options) =>
      call('POST /api/admin/layouts/:id/activate', { params: { id: layout_id }, body }, options),
    archive: (layout_id: string, body: shape.VersionStep = {}, options?: Options) =>
      call('POST /api/admin/layouts/:id/archive', { params: { id: layout_id }, body }, options),
    /** The JSON schema of layout configs. */
    schema: (options?: Options) => call('GET /schemas/layout.json', {}, options),
  };
}

function drafts(call: Call) {
  return {
    /** A new layout, or with `layout_id` its next version, as a draft. */
    create: (draft: shape.LayoutDraft, options?: Options) =>
      call('POST /api/admin/layouts', { body: draft }, options),
    /** Judges a config and saves nothing. */
    validate: (config: shape.LayoutConfig, options?: Options) =>
      call('POST /api/admin/layouts/validate', { body: config }, options),
    /** Draws common shapes or a preset, as a config; saves nothing. */
    generate: (spec: Record<string, unknown>, options?: Options) =>
      call('POST /api/admin/layouts/generate', { body: spec }, options),
    /** Takes over a seating plan of pretix; with a venue it becomes a draft. */
    import: (plan: Record<string, unknown>, query: shape.ImportQuery, options?: Options) =>
      call('POST /api/admin/layouts/import', { body: plan, query }, options),
  };
}

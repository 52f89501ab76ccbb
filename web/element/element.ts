/**
 * Element: the seat map as `<voelgoed-seat-map event="…">`, for any page. It knows the server by
 * the client alone, follows the stream, holds and releases what people choose, and tells its page
 * by events; colours come from CSS variables. It knows no framework, and the map knows nothing of
 * it. Importing this file defines the element.
 */
import { SeatMapElement } from './seat-map-element.ts';

export { SeatMapElement } from './seat-map-element.ts';

const NAME = 'voelgoed-seat-map';

if (!customElements.get(NAME)) customElements.define(NAME, SeatMapElement);

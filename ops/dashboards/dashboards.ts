/**
 * Dashboards: what people look at during a sale and at night, as code. It knows the names of our
 * series and Grafana's panels; it talks to neither. `npm test -- ops/dashboards -u` writes the JSON
 * files in `ops/grafana` from here, and a test asks a real Prometheus every question.
 */
export { type BoardFile, boardFiles } from './board-files.ts';

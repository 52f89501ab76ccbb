import {
  type Dashboard,
  DashboardBuilder,
  DatasourceVariableBuilder,
  RowBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { HOLDS } from './holds-board.ts';
import { MACHINE } from './machine-board.ts';
import type { Board, Panel } from './questions.ts';
import { ON_SALE } from './sale-board.ts';
import { SEATING } from './seating-board.ts';

export type BoardFile = Readonly<{ name: string; dashboard: Dashboard }>;

/** Whichever Prometheus is chosen at the top of the page. */
const SOURCE = { type: 'prometheus', uid: '$source' };
const [WIDTH, HEIGHT] = [8, 8];

/** Every dashboard with the name of its file, built by Grafana's own builders. */
export function boardFiles(): BoardFile[] {
  return [ON_SALE, HOLDS, SEATING, MACHINE].map((board) => ({
    name: `${board.uid}.json`,
    dashboard: build(board),
  }));
}

function build({ uid, title, about, rows }: Board): Dashboard {
  const builder = new DashboardBuilder(title)
    .uid(uid)
    .description(about)
    .tags(['voelgoed'])
    .readonly()
    .refresh('10s')
    .time({ from: 'now-1h', to: 'now' })
    .withVariable(new DatasourceVariableBuilder('source').label('Prometheus').type('prometheus'));
  let id = 0;
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title).id(++id));
    for (const panel of row.panels) builder.withPanel(panelOf(panel).id(++id));
  }
  return builder.build();
}

function panelOf({ title, description, unit, queries, limit }: Panel): PanelBuilder {
  const panel = new PanelBuilder()
    .title(title)
    .description(description)
    .unit(unit)
    .datasource(SOURCE)
    .span(WIDTH)
    .height(HEIGHT)
    .targets(
      queries.map(({ legend, expr }, index) =>
        new DataqueryBuilder()
          .refId(String.fromCharCode(65 + index))
          .datasource(SOURCE)
          .legendFormat(legend.trim())
          .expr(expr)
          .range(),
      ),
    );
  return limit ? panel.thresholds(thresholdsOf(limit)) : panel;
}

function thresholdsOf(limit: NonNullable<Panel['limit']>): ThresholdsConfigBuilder {
  const [first, value, then] =
    'above' in limit
      ? (['green', limit.above, 'red'] as const)
      : (['red', limit.below, 'green'] as const);
  return new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([
    { value: null, color: first },
    { value, color: then },
  ]);
}

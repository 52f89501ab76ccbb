export type Column<Row> = Readonly<{
  name: string;
  of(row: Row): string | number | null;
  /** Numbers stand below each other by their last digit. */
  right?: boolean;
}>;

/** Text in columns. Nothing is cut: an id that is not whole is of no use. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cells = [
    columns.map(({ name }) => name),
    ...rows.map((row) => columns.map((column) => cellOf(column, row))),
  ];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        return columns[at]?.right ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}

function cellOf<Row>(column: Column<Row>, row: Row): string {
  const value = column.of(row);
  if (value === null) return '-';
  // What others chose to be called must not move the cursor of whoever reads it.
  return typeof value === 'number' ? value.toLocaleString('en') : printable(value);
}

export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\u{fffd}');
}

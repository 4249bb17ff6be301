/** Plain aligned columns, two spaces apart, for a person's eye and for `awk`. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [
    header.map((title) => title.toUpperCase()),
    ...rows.map((row) => row.map(oneLine)),
  ];
  const widths = header.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names come from callers: control characters in one must not reach the terminal. */
const oneLine = (cell: string): string => cell.replace(/\p{Cc}/gu, ' ');

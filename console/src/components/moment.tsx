/** A time, with another format in the tooltip. */
import { Tooltip } from '@mantine/core';
import { useFormats } from '../i18n/formats.ts';

export type MomentProps = {
  /** ISO 8601. */
  readonly at: string;
};

/** Date and time to the second. Tooltip: relative time and UTC. */
export function Moment({ at }: MomentProps) {
  const { time, ago } = useFormats();
  return (
    <Tooltip label={`${ago(at)} · ${at}`}>
      <time dateTime={at}>{time(at)}</time>
    </Tooltip>
  );
}

/** Relative time. Tooltip: date and time. */
export function Ago({ at }: MomentProps) {
  const { time, ago } = useFormats();
  return (
    <Tooltip label={time(at)}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {ago(at)}
      </time>
    </Tooltip>
  );
}

/** The date only. Tooltip: the time to the second and UTC. */
export function Day({ at }: MomentProps) {
  const { date, time } = useFormats();
  return (
    <Tooltip label={`${time(at)} · ${at}`}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {date(at)}
      </time>
    </Tooltip>
  );
}

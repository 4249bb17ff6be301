/** A time: on hover and focus, the other way to tell it. */
import { Tooltip } from '@mantine/core';
import { useFormats } from '../i18n/formats.ts';

export type MomentProps = {
  /** ISO 8601. */
  readonly at: string;
};

/** Date and time to the second; on hover, how long ago, and in UTC. */
export function Moment({ at }: MomentProps) {
  const { time, ago } = useFormats();
  return (
    <Tooltip label={`${ago(at)} · ${at}`}>
      <time dateTime={at}>{time(at)}</time>
    </Tooltip>
  );
}

/** How long ago, or in how long; on hover, date and time. */
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

/** The day alone; on hover, to the second and in UTC. */
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

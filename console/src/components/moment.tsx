/** Shows times. The tooltip has the same time in another format. */
import { Tooltip } from '@mantine/core';
import { useFormats } from '#i18n/formats.ts';

export type MomentProps = {
  /** The time in ISO 8601. */
  readonly at: string;
};

/** Shows the date and the time to the second. The tooltip shows the relative time and UTC. */
export function Moment({ at }: MomentProps) {
  const { time, ago } = useFormats();
  return (
    <Tooltip label={`${ago(at)} · ${at}`}>
      <time dateTime={at}>{time(at)}</time>
    </Tooltip>
  );
}

/** Shows the relative time. The tooltip shows date and time. */
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

/**
 * Shows the time to the minute, such as Nov 22, 05:43. The full time is in the `title` attribute,
 * because a tooltip component in each row would slow down a list.
 */
export function ShortTime({ at }: MomentProps) {
  const { shortTime, time } = useFormats();
  return (
    <time dateTime={at} title={`${time(at)} · ${at}`} style={{ whiteSpace: 'nowrap' }}>
      {shortTime(at)}
    </time>
  );
}

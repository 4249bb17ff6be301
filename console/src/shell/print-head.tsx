/** The first line on paper: whose figures a printed page shows, and when it was printed. */
import { useGatewayAddress } from '#api/gateway-address.ts';
import { useSignedIn } from '#api/session.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTimeZone } from '#i18n/time-zone.ts';
import classes from './shell.module.css';

export function PrintHead() {
  const { account } = useSignedIn();
  const { time } = useFormats();
  const parts = [
    useGatewayAddress().replace(/^https?:\/\//, ''),
    account.name,
    account.id,
    `${time(new Date().toISOString())} (${useTimeZone()})`,
  ];
  return (
    <p className={classes['printHead']} data-print-head>
      {parts.join(' · ')}
    </p>
  );
}

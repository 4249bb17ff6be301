/**
 * The commands that call a running server, and the commands that need no server. `cli.ts` loads
 * this file on demand, because a starting server does not use it.
 */
import { ACCOUNT_COMMANDS } from './account-commands.ts';
import type { Command } from './command.ts';
import { CONFIG_COMMANDS } from './config-commands.ts';
import { KEY_COMMANDS } from './key-commands.ts';
import { LEDGER_COMMANDS } from './ledger-commands.ts';
import { MAIL_COMMANDS } from './mail-commands.ts';
import { MONEY_COMMANDS } from './money-commands.ts';
import { MOVE_IN_COMMANDS } from './move-in/move-in-commands.ts';
import { PEOPLE_COMMANDS } from './people-commands.ts';
import { PRICE_COMMANDS } from './prices/price-command.ts';
import { PRICE_DATA_COMMANDS } from './prices/price-data-commands.ts';
import { BACKUP_COMMANDS } from './process/backup-commands.ts';
import { RECONCILE_COMMANDS } from './reconcile-command.ts';
import { REDEEM_COMMANDS } from './redeem-commands.ts';
import { REPORT_COMMANDS } from './report-commands.ts';
import { SECRET_COMMANDS } from './secret-commands.ts';
import { UPSTREAM_COMMANDS } from './upstream-commands.ts';

export const CLIENT_COMMANDS: readonly Command[] = [
  ...KEY_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...MONEY_COMMANDS,
  ...PRICE_COMMANDS,
  ...PEOPLE_COMMANDS,
  ...REDEEM_COMMANDS,
  ...BACKUP_COMMANDS,
  ...LEDGER_COMMANDS,
  ...RECONCILE_COMMANDS,
  ...REPORT_COMMANDS,
  ...UPSTREAM_COMMANDS,
  ...SECRET_COMMANDS,
  ...CONFIG_COMMANDS,
  ...PRICE_DATA_COMMANDS,
  ...MAIL_COMMANDS,
  ...MOVE_IN_COMMANDS,
];

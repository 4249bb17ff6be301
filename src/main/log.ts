/** The log: one JSON line an event, on standard error. Never a prompt, an answer or a key. */
import pino from 'pino';
import type { Config } from '../config/config.ts';

export type Log = pino.Logger;

export function createLog(level: Config['log']['level']): Log {
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: false, minLength: 0 }));
}

/** A journal for tests that discards its entries. */
import { systemClock } from '../clock.ts';
import { RequestJournal } from './request-journal.ts';

export const unreadJournal = (clock = systemClock): RequestJournal =>
  new RequestJournal({ clock, sampling: 'off', onFinished: () => {} });

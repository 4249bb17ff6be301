/** For tests of what has no interest in it: a journal that nobody reads. */
import { systemClock } from '../clock.ts';
import { RequestJournal } from './request-journal.ts';

export const unreadJournal = (clock = systemClock): RequestJournal =>
  new RequestJournal({ clock, sampling: 'off', onOver: () => {} });

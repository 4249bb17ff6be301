/** An implementation of `Sales` for tests, on top of any ledger. */
import type { Command, Ledger, Outcome, Sales } from './ledger.ts';

/** Makes, extends and settles each hold in its own batch. */
export function oneByOne(
  apply: Ledger['apply'],
  checkpoints: Pick<Sales, 'keepCheckpoint'>,
): Sales {
  const one = async (command: Command): Promise<Outcome> => {
    const [outcome] = await apply([command]);
    if (outcome === undefined) throw new Error(`no outcome of ${command.kind} ${command.id}`);
    return outcome;
  };
  const keepCheckpoint: Sales['keepCheckpoint'] = (holdId, checkpoint) =>
    checkpoints.keepCheckpoint(holdId, checkpoint);
  return { hold: one, extend: one, settle: one, keepCheckpoint };
}

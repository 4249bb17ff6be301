/** Assigns each group of amounts, such as a model, a color that is the same in every chart. */

/** The number of colors. More are hard to distinguish, so other groups are gray. */
export const SLOTS = 10;

/** The slot of each group that has a color. All other groups are merged into "Other". */
export type Slots = ReadonlyMap<string, number>;

/** The color of charts without groups. */
export const ALL_COLOR = 'var(--chart-all)';
export const FAILED_COLOR = 'var(--chart-failed)';

export const colorOf = (slots: Slots | undefined, group: string): string => {
  const slot = slots?.get(group);
  return slot === undefined ? 'var(--chart-other)' : `var(--chart-${slot + 1})`;
};

/**
 * Assigns slots. A group gets the slot at its position in `order`, modulo the number of slots. If
 * another group has that slot already, it gets the next free slot. So a group keeps its color while
 * `order` and the colored groups stay the same.
 * @param order all known groups in a stable order, such as that of the catalog.
 * @param preferred the groups that get a color first if there are more groups than slots.
 */
export function slotsOf(order: readonly string[], preferred: readonly string[]): Slots {
  const all = [...new Set([...order, ...preferred])];
  const shown = new Set([...new Set([...preferred, ...order])].slice(0, SLOTS));
  const free = new Set(Array.from({ length: SLOTS }, (_, slot) => slot));
  const slots = new Map<string, number>();
  for (const [position, group] of all.entries()) {
    if (!shown.has(group)) continue;
    let slot = position % SLOTS;
    while (!free.has(slot)) slot = (slot + 1) % SLOTS;
    free.delete(slot);
    slots.set(group, slot);
  }
  return slots;
}

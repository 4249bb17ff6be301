/** The icon of a model: the initial of its maker in the model's chart color. */
import '#charts/palette.css';
import { useModelSlots } from '#catalogue/model-colors.ts';
import type { Model } from '#catalogue/models.ts';
import { colorOf } from '#charts/palette.ts';
import classes from './models.module.css';

export function ModelFace({ model }: { readonly model: Pick<Model, 'id' | 'maker'> }) {
  const slots = useModelSlots();
  return (
    <svg
      className={classes['face']}
      viewBox="0 0 32 32"
      aria-hidden
      style={{ color: colorOf(slots, model.id) }}
    >
      <rect width="32" height="32" rx="8" />
      <text x="16" y="21.5" textAnchor="middle">
        {model.maker.slice(0, 1).toUpperCase()}
      </text>
    </svg>
  );
}

/** A field that selects one of the model's sizes, each drawn with its proportions. */
import { Radio, Text } from '@mantine/core';
import { useTexts } from '#i18n/texts.ts';
import { proportionOf } from './image-form.ts';
import classes from './images.module.css';
import { imagesTexts } from './images-texts.ts';

const LONGER_SIDE_PX = 36;
/** Images whose longer side has at least this many pixels get the largest preview. */
const FULL_PX = 1024;
const LEAST_SIDE_PX = 14;

export type SizeChoiceProps = {
  readonly sizes: readonly string[];
  readonly value: string;
  readonly onChange: (size: string) => void;
};

export function SizeChoice({ sizes, value, onChange }: SizeChoiceProps) {
  const t = useTexts(imagesTexts);
  return (
    <Radio.Group label={t('size')} value={value} onChange={onChange}>
      <div className={classes['sizes']}>
        {sizes.map((size) => (
          <Radio.Card key={size} value={size} className={classes['sizeCard'] ?? ''} radius="md">
            <SizeCard size={size} />
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}

function SizeCard({ size }: { readonly size: string }) {
  const t = useTexts(imagesTexts);
  const { width, height } = proportionOf(size);
  const share = Math.min(1, Math.max(...size.split('x').map(Number)) / FULL_PX);
  const side = Math.max(LEAST_SIDE_PX, share * LONGER_SIDE_PX);
  const shape = width === height ? 'square' : width > height ? 'wide' : 'tall';
  return (
    <>
      <span className={classes['preview']} aria-hidden>
        <span
          className={classes['proportion']}
          style={{ width: width * side, height: height * side }}
        />
      </span>
      <span>
        <Text size="xs" fw={500} style={{ whiteSpace: 'nowrap' }}>
          {size.replace('x', ' × ')}
        </Text>
        <Text size="xs" c="dimmed">
          {t(shape)}
        </Text>
      </span>
    </>
  );
}

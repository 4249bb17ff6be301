/** Compares the configured prices with public price data from a file or a URL. */
import {
  Button,
  FileButton,
  Group,
  Input,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useRef, useState } from 'react';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { isFactor, isPrice, TOKEN_DECIMALS } from './price-edit.ts';
import { type Asked, type Comparison, comparePrices } from './public-prices.ts';
import { PublicPricesTable } from './public-prices-table.tsx';
import { publicTexts } from './public-prices-texts.ts';

/** The maximum size of a file in bytes. It is the same number as the API's limit in characters. */
const MAX_FILE_BYTES = 7 * 1024 * 1024;

type Values = {
  readonly from: string;
  /** The chosen file: its name and its content. */
  readonly text: { readonly name: string; readonly content: string } | null;
  readonly url: string;
  readonly compare: 'price' | 'cost';
  readonly factor: string;
  readonly max_jump: string;
};

const bodyOf = ({ from, text, url, compare, factor, max_jump }: Values): Asked => ({
  ...(from === 'file' ? { text: text?.content ?? '' } : { url: url.trim() }),
  ...{ compare, factor: factor.trim(), max_jump: max_jump.trim() },
});

export function PublicPricesTab() {
  const t = useTexts(publicTexts);
  const [asked, setAsked] = useState<{ readonly body: Asked; readonly first: Comparison }>();
  const [times, setTimes] = useState(0);
  const { form, ...sending } = useApiForm<Values, Comparison>({
    initialValues: {
      ...{ from: 'file', text: null, url: '' },
      ...{ compare: 'price', factor: '1', max_jump: '20' },
    },
    validate: ({ from, text, url, factor, max_jump: jump }) => ({
      text: from === 'file' && text === null ? t('noFile') : null,
      url: from === 'url' && !url.trim().startsWith('https://') ? t('noUrl') : null,
      factor: isFactor(factor.trim()) ? null : t('notFactor'),
      max_jump: isPrice(jump.trim(), TOKEN_DECIMALS) ? null : t('notPercent'),
    }),
    isKept: false,
    send: async (values) => await comparePrices(bodyOf(values)),
    onSent: (first, values) => {
      setAsked({ body: bodyOf(values), first });
      setTimes(times + 1);
    },
  });
  const isFile = form.values.from === 'file';
  return (
    <Stack>
      <SectionCard title={t('title')} size="h5" maw={720}>
        <FormBody of={sending} submit={t('submit')}>
          <Choice label={t('from')}>
            <SegmentedControl
              aria-label={t('from')}
              data={[
                { value: 'file', label: t('fromFile') },
                { value: 'url', label: t('fromUrl') },
              ]}
              {...form.getInputProps('from')}
            />
          </Choice>
          {isFile ? (
            <DataFile {...form.getInputProps('text')} />
          ) : (
            <TextInput
              label={t('fromUrl')}
              description={`${t('formats')}. ${t('urlHint')}`}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              placeholder="https://models.dev/api.json"
              type="url"
              autoComplete="off"
              maxLength={500}
              {...form.getInputProps('url')}
            />
          )}
          <Choice label={t('compare')}>
            <SegmentedControl
              aria-label={t('compare')}
              data={[
                { value: 'price', label: t('comparePrice') },
                { value: 'cost', label: t('compareCost') },
              ]}
              {...form.getInputProps('compare')}
            />
          </Choice>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t('factor')}
              description={t('factorHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              inputMode="decimal"
              autoComplete="off"
              maxLength={13}
              {...form.getInputProps('factor')}
            />
            <TextInput
              label={t('maxJump')}
              description={t('maxJumpHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              inputMode="decimal"
              autoComplete="off"
              rightSection={<Text variant="note">%</Text>}
              maxLength={13}
              {...form.getInputProps('max_jump')}
            />
          </SimpleGrid>
        </FormBody>
      </SectionCard>
      {asked === undefined ? null : <PublicPricesTable key={times} {...asked} />}
    </Stack>
  );
}

function Choice({
  label,
  children,
}: {
  readonly label: string;
  readonly children: React.ReactNode;
}) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <div>{children}</div>
    </Input.Wrapper>
  );
}

type DataFileProps = {
  readonly value?: Values['text'];
  readonly error?: React.ReactNode;
  readonly onChange?: (text: Values['text']) => void;
};

/** A field for a file, which is read in the browser. */
function DataFile({ value = null, error, onChange }: DataFileProps) {
  const t = useTexts(publicTexts);
  const reset = useRef<() => void>(null);
  const [tooLarge, setTooLarge] = useState<string | null>(null);
  const read = async (file: File | null): Promise<void> => {
    // Without this reset, the browser would not report the same file when it is chosen again.
    reset.current?.();
    if (file === null) return;
    const { name, size } = file;
    setTooLarge(size > MAX_FILE_BYTES ? name : null);
    onChange?.(size > MAX_FILE_BYTES ? null : { name, content: await file.text() });
  };
  return (
    <Input.Wrapper
      label={t('fromFile')}
      labelElement="div"
      description={t('formats')}
      error={tooLarge === null ? error : t('tooLarge', { name: tooLarge })}
    >
      <Group gap="xs" mt={4}>
        <FileButton accept=".json" resetRef={reset} onChange={(file) => void read(file)}>
          {({ onClick }) => (
            <Button variant="default" onClick={onClick}>
              {t('chooseFile')}
            </Button>
          )}
        </FileButton>
        {value === null ? null : <Text size="sm">{value.name}</Text>}
      </Group>
    </Input.Wrapper>
  );
}

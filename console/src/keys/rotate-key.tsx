/**
 * The dialog that rotates the secret of a key. The person chooses how long the previous secret
 * stays valid.
 */
import { Alert, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { newIdempotencyKey } from '#api/client.ts';
import { Dialog } from '#components/dialog.tsx';
import { FormFooter } from '#components/forms/form-footer.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { keyActionsTexts } from './key-actions-texts.ts';
import { useKeyApi } from './key-api.ts';
import type { ApiKey } from './key-form.ts';
import { type CreatedKey, useKeysChanged } from './key-queries.ts';

/** How long the previous secret stays valid: the API's values, in display order. */
const OVERLAPS = { now: '0s', hour: '1h', day: '24h', week: '7d', month: '30d' } as const;
type Overlap = keyof typeof OVERLAPS;
const NAMES = Object.keys(OVERLAPS).filter((name): name is Overlap => name in OVERLAPS);
const DEFAULT_OVERLAP: Overlap = 'day';

export type RotateKeyProps = {
  readonly apiKey: ApiKey;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onRotated: (key: CreatedKey) => void;
};

export function RotateKeyDialog({ opened, ...props }: RotateKeyProps) {
  const t = useTexts(keyActionsTexts);
  const { apiKey, onClose } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={t('rotateTitle', { name: apiKey.name })}>
      <RotateKeyForm {...props} />
    </Dialog>
  );
}

function RotateKeyForm({ apiKey, onClose, onRotated }: Omit<RotateKeyProps, 'opened'>) {
  const t = useTexts(keyActionsTexts);
  const { time } = useFormats();
  const keyApi = useKeyApi();
  const keysChanged = useKeysChanged();
  const [idempotencyKey] = useState(newIdempotencyKey);
  const [overlap, setOverlap] = useState<Overlap>(DEFAULT_OVERLAP);
  const rotating = useMutation({
    mutationFn: () => keyApi.rotate(apiKey.id, OVERLAPS[overlap], idempotencyKey),
    onSuccess: (rotated) => {
      onRotated(rotated);
      void keysChanged();
    },
  });
  const { previous_secret_until: until } = apiKey;
  const isOverlapping = until !== null && Date.parse(until) > Date.now();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!rotating.isPending) rotating.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('rotateText')}</Text>
        {isOverlapping ? (
          <Alert color="yellow">{t('still', { time: time(until) })}</Alert>
        ) : (
          <Select
            label={t('overlap')}
            data={NAMES.map((name) => ({ value: name, label: t(name) }))}
            value={overlap}
            allowDeselect={false}
            data-autofocus
            onChange={(value) =>
              setOverlap(NAMES.find((name) => name === value) ?? DEFAULT_OVERLAP)
            }
          />
        )}
        <FormFooter
          submit={t('rotateSubmit')}
          isRunning={rotating.isPending}
          problem={rotating.error}
          isDisabled={isOverlapping}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

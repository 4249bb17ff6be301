/** The footer of a step in the guided form: next, back, and skip if the step has a problem. */
import { Button, Group } from '@mantine/core';
import { useTexts } from '#i18n/texts.ts';
import { providerTexts } from './provider-texts.ts';

export type StepFooterProps = {
  readonly next: string;
  readonly isRunning?: boolean;
  readonly isDisabled?: boolean;
  readonly onBack?: () => void;
  readonly skip?: string;
  readonly onSkip?: () => void;
};

export function StepFooter(props: StepFooterProps) {
  const { next, isRunning = false, isDisabled = false, onBack, skip, onSkip } = props;
  const t = useTexts(providerTexts);
  return (
    <Group justify="flex-end">
      {onSkip === undefined ? null : (
        <Button variant="subtle" onClick={onSkip}>
          {skip}
        </Button>
      )}
      {onBack === undefined ? null : (
        <Button variant="default" onClick={onBack}>
          {t('previous')}
        </Button>
      )}
      <Button type="submit" loading={isRunning} disabled={isDisabled}>
        {next}
      </Button>
    </Group>
  );
}

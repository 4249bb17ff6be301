/**
 * Shows one image of the gallery in full size. Buttons, arrow keys and swipes lead to the other
 * images of the gallery.
 */
import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconDownload, IconForms } from '@tabler/icons-react';
import { type KeyboardEvent, type TouchEvent, useRef } from 'react';
import { Dialog } from '#components/dialog.tsx';
import { useTexts } from '#i18n/texts.ts';
import classes from './images.module.css';
import { imagesTexts } from './images-texts.ts';
import { DownloadLink, type GalleryPicture, pictureAlt } from './pictures.tsx';

/** The minimum movement of a finger, in pixels, that counts as a swipe. */
const SWIPE_PX = 40;

export type LightboxProps = {
  readonly pictures: readonly GalleryPicture[];
  /** The URL of the shown image; null while the dialog is closed. */
  readonly src: string | null;
  readonly onShow: (src: string | null) => void;
  readonly onReuse: (picture: GalleryPicture) => void;
};

export function Lightbox({ pictures, src, onShow, onReuse }: LightboxProps) {
  const t = useTexts(imagesTexts);
  const index = pictures.findIndex((picture) => picture.src === src);
  const picture = pictures[index];
  const touched = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const count = pictures.length;
  // The previous and next buttons wrap around at both ends, so that a focused button is never
  // disabled.
  const move = (steps: number): void =>
    onShow(pictures[(index + steps + count) % count]?.src ?? null);
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'ArrowLeft') move(-1);
    if (key === 'ArrowRight') move(1);
  };
  const onTouchEnd = ({ changedTouches }: TouchEvent): void => {
    const [start, end] = [touched.current, changedTouches[0]];
    if (start === null || end === undefined) return;
    const [x, y] = [end.clientX - start.x, end.clientY - start.y];
    if (Math.abs(x) > Math.max(SWIPE_PX, Math.abs(y))) move(x < 0 ? 1 : -1);
  };
  return (
    <Dialog
      opened={picture !== undefined}
      onClose={() => onShow(null)}
      onKeyDown={onKeyDown}
      title={picture?.form.prompt}
      size="auto"
      centered
    >
      <div
        className={classes['stage']}
        onTouchStart={({ touches }) => {
          const finger = touches[0];
          touched.current = finger === undefined ? null : { x: finger.clientX, y: finger.clientY };
        }}
        onTouchEnd={onTouchEnd}
      >
        {picture === undefined ? null : <Large picture={picture} />}
      </div>
      <Group justify="space-between" mt="sm" gap="xs">
        {count === 1 ? (
          <span />
        ) : (
          <Group gap={4} wrap="nowrap">
            <Step label={t('previous')} onClick={() => move(-1)} icon={IconChevronLeft} />
            <Text size="sm" c="dimmed" role="status">
              {t('position', { number: index + 1, count })}
            </Text>
            <Step label={t('next')} onClick={() => move(1)} icon={IconChevronRight} isFirst />
          </Group>
        )}
        {picture === undefined ? null : (
          <Group gap="xs" wrap="nowrap">
            <Button
              variant="default"
              size="xs"
              leftSection={<IconForms size={16} aria-hidden />}
              onClick={() => onReuse(picture)}
            >
              {t('reuse')}
            </Button>
            <DownloadLink picture={picture}>
              <IconDownload size={16} />
            </DownloadLink>
          </Group>
        )}
      </Group>
    </Dialog>
  );
}

function Large({ picture }: { readonly picture: GalleryPicture }) {
  const t = useTexts(imagesTexts);
  const [width, height] = picture.form.size.split('x');
  const size = { width, height };
  return (
    <img className={classes['large']} src={picture.src} alt={pictureAlt(t, picture)} {...size} />
  );
}

type StepProps = {
  readonly label: string;
  readonly onClick: () => void;
  readonly icon: typeof IconChevronLeft;
  /** Whether the button gets the focus when the dialog opens. */
  readonly isFirst?: boolean;
};

const Step = ({ label, onClick, icon: Icon, isFirst }: StepProps) => (
  <ActionIcon
    variant="default"
    aria-label={label}
    title={label}
    onClick={onClick}
    data-autofocus={isFirst}
  >
    <Icon size={16} aria-hidden />
  </ActionIcon>
);

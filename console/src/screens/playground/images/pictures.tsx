/** The images of one request, each with links to open and download it. */
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Translate, useTexts } from '#i18n/texts.ts';
import type { ImageForm } from './image-form.ts';
import type { ImageRun } from './image-store.ts';
import classes from './images.module.css';
import { imagesTexts } from './images-texts.ts';

/** An image and the request that generated it. */
export type GalleryPicture = {
  readonly src: string;
  /** The position of the image within its request, from 1. */
  readonly number: number;
  readonly form: ImageForm;
};

/**
 * Returns the images that a request has generated. Returns none while the request is running, if it
 * failed or was stopped, or after the URLs of its images have expired.
 */
export function picturesOf({ form, result }: ImageRun, nowMs: number): readonly GalleryPicture[] {
  if (result.phase !== 'done') return [];
  const { expiresAt, pictures } = result.generated;
  if (expiresAt !== null && Date.parse(expiresAt) <= nowMs) return [];
  return pictures.map(({ src }, at) => ({ src, number: at + 1, form }));
}

export const pictureAlt = (
  t: Translate<'pictureOf'>,
  { number, form: { prompt } }: GalleryPicture,
): string => t('pictureOf', { number, prompt });

export type PicturesProps = {
  readonly pictures: readonly GalleryPicture[];
  readonly onOpen: (src: string) => void;
};

export function Pictures({ pictures, onOpen }: PicturesProps) {
  const t = useTexts(imagesTexts);
  return (
    <div className={classes['pictures']}>
      {pictures.map((picture) => {
        const { src, number, form } = picture;
        const [width, height] = form.size.split('x');
        return (
          <figure key={src} className={classes['figure']}>
            <button
              type="button"
              className={classes['open']}
              aria-label={t('openPicture', { number })}
              onClick={() => onOpen(src)}
            >
              <img
                className={classes['picture']}
                src={src}
                alt={pictureAlt(t, picture)}
                width={width}
                height={height}
              />
            </button>
            <DownloadLink picture={picture} className={classes['download']}>
              <IconDownload size={16} />
            </DownloadLink>
          </figure>
        );
      })}
    </div>
  );
}

/** Returns the extension of a URL's path, or the type of a data URL; `png` if neither is known. */
const extensionOf = (src: string): string =>
  /^[^?]*[./](png|jpe?g|webp)(?:[?;]|$)/.exec(src)?.[1] ?? 'png';

export type DownloadLinkProps = {
  readonly picture: GalleryPicture;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

export function DownloadLink({ picture, className = '', children }: DownloadLinkProps) {
  const t = useTexts(imagesTexts);
  const { src, number, form } = picture;
  return (
    <Tooltip label={t('download', { number })}>
      <ActionIcon
        component="a"
        className={className}
        variant="default"
        href={src}
        download={`${form.model}-${number}.${extensionOf(src)}`}
        aria-label={t('download', { number })}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

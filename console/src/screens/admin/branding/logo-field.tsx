/** A field for a logo: an SVG or PNG, read in the browser and shown before it is saved. */
import { Button, FileButton, Group, Input } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTexts } from '#i18n/texts.ts';
import classes from './branding.module.css';
import { brandingTexts } from './branding-texts.ts';

/** The maximum size of a logo that the gateway accepts. */
const MAX_BYTES = 64 * 1024;
const PNG = 'image/png';

export type LogoFieldProps = {
  readonly label: string;
  /** An SVG as text, or a PNG as a `data:` URL; empty for none. */
  readonly value?: string;
  readonly error?: React.ReactNode;
  readonly onChange?: (logo: string) => void;
};

export function LogoField({ label, value = '', error, onChange }: LogoFieldProps) {
  const t = useTexts(brandingTexts);
  const reset = useRef<() => void>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const read = async (file: File | null): Promise<void> => {
    if (file === null) return;
    // Without this reset, the browser would not report the same file when it is chosen again.
    reset.current?.();
    setTooLarge(file.size > MAX_BYTES);
    if (file.size > MAX_BYTES) return;
    onChange?.(file.type === PNG ? await dataUrlOf(file) : await file.text());
  };
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={t('logoHint')}
      error={isTooLarge ? t('logoTooLarge') : error}
    >
      <Group gap="xs" mt={4} mih={32}>
        {value === '' ? null : (
          <img src={shownAddress(value)} alt={t('logoShown')} className={classes['logo']} />
        )}
        <FileButton accept=".svg,.png" resetRef={reset} onChange={(file) => void read(file)}>
          {({ onClick }) => (
            <Button variant="default" size="xs" onClick={onClick}>
              {t('logoChoose')}
            </Button>
          )}
        </FileButton>
        {value === '' ? null : (
          <Button variant="subtle" color="gray" size="xs" onClick={() => onChange?.('')}>
            {t('logoRemove')}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}

/** Returns the URL for showing a logo as an image. Scripts in an SVG do not run in images. */
const shownAddress = (logo: string): string =>
  logo.startsWith('data:') ? logo : `data:image/svg+xml,${encodeURIComponent(logo)}`;

const dataUrlOf = async (file: File): Promise<string> =>
  `data:${PNG};base64,${new Uint8Array(await file.arrayBuffer()).toBase64()}`;

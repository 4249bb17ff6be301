/**
 * Links to the operator's support page, terms and privacy policy. A link that is not configured is
 * left out.
 */
import { Anchor, Group, Menu } from '@mantine/core';
import { IconExternalLink, IconFileText, IconHelp } from '@tabler/icons-react';
import { useBrand } from '#api/brand.ts';
import { MenuLink, TextLink } from '#components/button-link.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('brand-links', {
  en: { label: 'About', support: 'Support', terms: 'Terms of service', privacy: 'Privacy policy' },
  zh: { label: '关于', support: '支持', terms: '服务条款', privacy: '隐私政策' },
});

/** A support page opens in a new tab. A `mailto:` link opens the mail program. */
const outside = (url: string) =>
  url.startsWith('mailto:') ? {} : ({ target: '_blank', rel: 'noreferrer noopener' } as const);

/** The links below a page for visitors. */
export function BrandFooter() {
  const t = useTexts(texts);
  const brand = useBrand();
  if (brand === undefined || (brand.support_url === null && brand.pages.length === 0)) return null;
  const { support_url: support, pages } = brand;
  return (
    <Group component="footer" aria-label={t('label')} justify="center" gap="lg" p="md">
      {support === null ? null : (
        <Anchor c="dimmed" size="sm" href={support} {...outside(support)}>
          {t('support')}
        </Anchor>
      )}
      {pages.map((name) => (
        <TextLink key={name} c="dimmed" size="sm" to={`/${name}`}>
          {t(name)}
        </TextLink>
      ))}
    </Group>
  );
}

const ICON_PX = 16;

/** The links in the menu of the signed-in person. */
export function BrandItems() {
  const t = useTexts(texts);
  const { support_url: support = null, pages = [] } = useBrand() ?? {};
  if (support === null && pages.length === 0) return null;
  return (
    <>
      {support === null ? null : (
        <Menu.Item
          component="a"
          href={support}
          leftSection={<IconHelp size={ICON_PX} aria-hidden />}
          rightSection={<IconExternalLink size={ICON_PX} aria-hidden />}
          {...outside(support)}
        >
          {t('support')}
        </Menu.Item>
      )}
      {pages.map((name) => (
        <MenuLink
          key={name}
          leftSection={<IconFileText size={ICON_PX} aria-hidden />}
          to={`/${name}`}
        >
          {t(name)}
        </MenuLink>
      ))}
      <Menu.Divider />
    </>
  );
}

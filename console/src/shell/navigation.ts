/** The console's pages in display order, for the menu and the command palette. */
import {
  IconActivity,
  IconApi,
  IconBook2,
  IconBuildingBank,
  IconChartBar,
  IconCreditCard,
  IconGauge,
  IconHistory,
  IconKey,
  IconListDetails,
  IconLock,
  IconMail,
  IconMessages,
  IconPalette,
  IconPhoto,
  IconReceipt,
  IconReportMoney,
  IconRocket,
  IconRoute,
  IconSettings,
  IconShieldOff,
  IconStack2,
  IconTicket,
  IconUser,
  IconUsers,
  IconVersions,
} from '@tabler/icons-react';
import type { Role } from '#api/session.ts';
import { defineTexts, type TextKey } from '#i18n/texts.ts';

export const navigationTexts = defineTexts('navigation', {
  en: {
    build: 'Build',
    observe: 'Monitor',
    account: 'Account',
    administration: 'Administration',
    overview: 'Overview',
    quickStart: 'Quick start',
    keys: 'API keys',
    playground: 'Playground',
    images: 'Images',
    models: 'Models',
    usage: 'Usage',
    requests: 'Requests',
    status: 'Status',
    reference: 'API reference',
    billing: 'Billing',
    profile: 'Profile and security',
    members: 'Members',
    home: 'Business overview',
    accounts: 'Accounts',
    refusals: 'Refused requests',
    people: 'People',
    redeemCodes: 'Redeem codes',
    routes: 'Channels and routes',
    cards: 'Price cards',
    books: 'Ledger',
    audit: 'Audit log',
    branding: 'Branding',
    history: 'Configuration history',
    mail: 'Email',
    secrets: 'Secrets',
    settings: 'Settings',
  },
  zh: {
    build: '开发',
    observe: '监控',
    account: '账户',
    administration: '管理',
    overview: '概览',
    quickStart: '快速开始',
    keys: 'API 密钥',
    playground: '在线体验',
    images: '图像生成',
    models: '模型',
    usage: '用量',
    requests: '请求',
    status: '状态',
    reference: 'API 参考',
    billing: '账单',
    profile: '个人资料与安全',
    members: '成员',
    home: '运营概览',
    accounts: '账户管理',
    refusals: '被拒绝的请求',
    people: '登录账号',
    redeemCodes: '兑换码',
    routes: '渠道与路由',
    cards: '价格版本',
    books: '账本',
    audit: '审计日志',
    branding: '品牌',
    history: '配置历史',
    mail: '邮件',
    secrets: '机密',
    settings: '设置',
  },
});

export type PageName = Exclude<
  TextKey<typeof navigationTexts>,
  'build' | 'observe' | 'account' | 'administration'
>;
export type NavigationItem = {
  readonly name: PageName;
  readonly to: string;
  readonly icon: typeof IconKey;
  readonly least: Role;
  /**
   * The page whose menu entry is marked while this page is open, because this page has no menu
   * entry of its own. At the top of both pages are links to each other.
   */
  readonly under?: PageName;
};
export type NavigationGroup = {
  readonly name: 'build' | 'observe' | 'account' | 'administration';
  readonly items: readonly NavigationItem[];
};

const page = (
  name: PageName,
  to: string,
  icon: typeof IconKey,
  least: Role = 'read_only',
): NavigationItem => ({ name, to, icon, least });

/** Creates a page of the settings. All settings pages share one menu entry. */
const setting = (name: PageName, to: string, icon: typeof IconKey): NavigationItem => ({
  ...page(name, to, icon, 'administrator'),
  under: 'settings',
});

export const NAVIGATION: readonly NavigationGroup[] = [
  {
    name: 'observe',
    items: [
      page('overview', '/', IconGauge),
      page('usage', '/usage', IconChartBar),
      page('requests', '/requests', IconListDetails),
      page('status', '/status', IconActivity),
    ],
  },
  {
    name: 'build',
    items: [
      page('quickStart', '/quick-start', IconRocket),
      page('keys', '/keys', IconKey),
      page('playground', '/playground', IconMessages, 'member'),
      page('images', '/playground/images', IconPhoto, 'member'),
      page('models', '/models', IconStack2),
      page('reference', '/reference', IconApi),
    ],
  },
  {
    name: 'account',
    items: [
      page('billing', '/billing', IconCreditCard),
      page('members', '/members', IconUsers, 'owner'),
      page('profile', '/profile', IconUser),
    ],
  },
  {
    name: 'administration',
    items: [
      page('home', '/admin/home', IconReportMoney, 'administrator'),
      page('accounts', '/admin/accounts', IconBuildingBank, 'administrator'),
      page('refusals', '/admin/refusals', IconShieldOff, 'administrator'),
      page('people', '/admin/people', IconUsers, 'administrator'),
      page('redeemCodes', '/admin/redeem-codes', IconTicket, 'administrator'),
      page('routes', '/admin/routes', IconRoute, 'administrator'),
      page('cards', '/admin/cards', IconReceipt, 'administrator'),
      page('books', '/admin/books', IconBook2, 'administrator'),
      page('audit', '/admin/audit', IconHistory, 'administrator'),
      page('settings', '/admin/settings', IconSettings, 'administrator'),
      setting('secrets', '/admin/secrets', IconLock),
      setting('mail', '/admin/mail', IconMail),
      setting('branding', '/admin/branding', IconPalette),
      setting('history', '/admin/history', IconVersions),
    ],
  },
];

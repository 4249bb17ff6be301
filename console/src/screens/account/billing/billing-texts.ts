import { defineTexts } from '#i18n/texts.ts';

export const billingTexts = defineTexts('billing', {
  en: {
    tabs: 'Billing sections',
    wallets: 'Balance',
    ledger: 'Ledger',
    statements: 'Statements',
    alerts: 'Alerts',
    wallet: '{{currency}} wallet',
    balance: 'Balance',
    held: 'Held for running requests',
    creditLimit: 'Credit limit',
    available: 'Available',
    noWallets: 'No balance yet',
    noWalletsHint: 'A wallet is created with the first top-up.',
    readOnly: 'Only account owners can top up.',
  },
  zh: {
    tabs: '账单分区',
    wallets: '余额',
    ledger: '流水',
    statements: '对账单',
    alerts: '提醒',
    wallet: '{{currency}} 钱包',
    balance: '余额',
    held: '为进行中的请求预扣',
    creditLimit: '信用额度',
    available: '可用',
    noWallets: '还没有余额',
    noWalletsHint: '首次充值时会自动创建钱包。',
    readOnly: '只有账户所有者可以充值。',
  },
});

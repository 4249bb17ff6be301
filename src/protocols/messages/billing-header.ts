/**
 * Recognizes the first block of Claude Code's system text. It names the program's version with a
 * digest that differs for each conversation, and is for Anthropic's accounting. For any other
 * model, it is an odd first instruction, and prompts that begin with it share no prompt cache.
 */
const BILLING_HEADER = 'x-anthropic-billing-header:';

export const isBillingHeader = (text: string): boolean => text.startsWith(BILLING_HEADER);

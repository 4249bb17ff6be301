// Generated from the contract by `npm run console:api`. Do not edit.
// biome-ignore-all format: generated
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Name and version; browsers are redirected to the console */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Where the API is described. */
                            docs: string;
                            /**
                             * @description The name.
                             * @constant
                             */
                            name: "modelgate";
                            /** @description The version of the gateway. */
                            version: string;
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Accounts, oldest first; `search` finds part of a name, or an id */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    search?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["AccountEntry"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        /** Create an account */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        allow_exchange?: boolean;
                        /** @description The name. */
                        name: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Account"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An account and its wallets */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccountWithWallets"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change an account and its limits, suspend or restore it */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        allow_exchange?: boolean;
                        /** @description When the key expires; null: never. */
                        expires_at?: string | null;
                        limits?: {
                            /** @description The channels on which the model is sold. */
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            /** @description The most requests at once; null: no limit. */
                            concurrency?: number | null;
                            /** @description The addresses from which the key works; null: all. */
                            ip_ranges?: string[] | null;
                            /** @description The models that the key may use; null: all. */
                            models?: string[] | null;
                            /** @description The most requests per minute; null: no limit. */
                            requests_per_minute?: number | null;
                            /** @description What was or may be spent, by period. */
                            spend?: {
                                /** @description In one day (UTC). */
                                day?: string | null;
                                /** @description In one month (UTC). */
                                month?: string | null;
                                /** @description In all. */
                                total?: string | null;
                                /** @description In one week (UTC), from Monday. */
                                week?: string | null;
                            };
                            /** @description The most tokens per minute; null: no limit. */
                            tokens_per_minute?: number | null;
                        };
                        /** @description The name. */
                        name?: string;
                        /**
                         * @description The state.
                         * @enum {string}
                         */
                        status?: "active" | "suspended";
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Account"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/v1/accounts/{id}/adjustments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adjust a wallet by an amount of either sign, once per id */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        amount: string;
                        /**
                         * @description The currency: USD or CNY.
                         * @enum {string}
                         */
                        currency: "USD" | "CNY";
                        /** @description The id. */
                        id?: string;
                        /** @description Why the balance changed; null: see the request. */
                        reason: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Adjustment"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Adjustment"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An account's own low-balance thresholds */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertThresholds"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        /** Set an account's own low-balance thresholds */
        put: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        CNY?: string | null;
                        USD?: string | null;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertThresholds"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/credit-limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set how far below zero a wallet may go */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        amount: string;
                        /**
                         * @description The currency: USD or CNY.
                         * @enum {string}
                         */
                        currency: "USD" | "CNY";
                        /** @description The id. */
                        id?: string;
                        /** @description Why the balance changed; null: see the request. */
                        reason: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreditLimit"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreditLimit"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Credit a wallet, once per id */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        amount: string;
                        /**
                         * @description The currency: USD or CNY.
                         * @enum {string}
                         */
                        currency: "USD" | "CNY";
                        /** @description The id. */
                        id?: string;
                        /** @description Why the balance changed; null: see the request. */
                        reason: string;
                        reference?: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Credit"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Credit"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/exchanges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Buy currency for one wallet with the other, at the rate in force */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        amount: string;
                        /**
                         * @description The currency before the exchange.
                         * @enum {string}
                         */
                        from: "USD" | "CNY";
                        /** @description The id. */
                        id?: string;
                        /** @description Why the balance changed; null: see the request. */
                        reason: string;
                        /**
                         * @description The currency after the exchange.
                         * @enum {string}
                         */
                        to: "USD" | "CNY";
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Exchange"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Exchange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every movement of an account's wallets, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description Only movements of this kind. */
                    kind?: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Movement"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/prompt-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether prompts of an account or of its keys are logged */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description For what prompts and answers are logged, the whole account first. */
                            data: components["schemas"]["PromptLogging"][];
                            /** @description How long a prompt is kept. */
                            kept_seconds: number;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        /** Turn the logging of an account's prompts on or off; its people see who did */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The API key. */
                        key_id: string | null;
                        on: boolean;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description For what prompts and answers are logged, the whole account first. */
                            data: components["schemas"]["PromptLogging"][];
                            /** @description How long a prompt is kept. */
                            kept_seconds: number;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The audit log, newest first; verify=true checks the chain of hashes up to the newest entry shown */
        get: {
            parameters: {
                query?: {
                    action?: string;
                    actor?: string;
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    subject?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                    verify?: "true" | "false";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Only when `verify` is true. */
                            chain?: {
                                first_broken_id: number | null;
                                ok: boolean;
                                verified_up_to: number;
                            };
                            /** @description The entries of the page. */
                            data: components["schemas"]["AuditEntry"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Back up the running ledger to a new file in the folder `backups` of the data folder */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Backup"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Balances of the ledger's own accounts, by currency */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["BookBalance"][];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/books/months": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Revenue, cost, profit, losses and payments by month and currency, oldest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["BooksMonth"][];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Published price cards, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description Only this channel. */
                    channel?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description Only this model. */
                    model?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["PriceCard"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prices and operator costs of every channel of every model */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["ChannelOffer"][];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The configuration as a whole */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The settings as the file writes them; secrets are `***`. */
                            document: {
                                [key: string]: unknown;
                            };
                            /** @description A file, such as a PDF. */
                            file: string;
                            /**
                             * @description Where the settings are kept.
                             * @enum {string}
                             */
                            mode: "file" | "database";
                            /** @description The newest one, as in `ETag`; null if the settings are in the file. */
                            revision: number | null;
                            /** @description The one that this node runs. */
                            running_revision: number | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        /** Replace the configuration as a whole */
        put: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        document: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change several settings at once, by a JSON merge patch */
        patch: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        document: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/v1/config/cards/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make the price of an earlier card the price of its channel again */
        post: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "Idempotency-Key"?: string;
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The configuration as YAML, for a file */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/yaml": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Settings that are single values, with their types and bounds */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["SettingField"][];
                            /** @description The configuration file of this node. */
                            file: string;
                            /**
                             * @description Where the settings are kept.
                             * @enum {string}
                             */
                            mode: "file" | "database";
                            /** @description The newest one, as in `ETag`; null if the settings are in the file. */
                            revision: number | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the configuration by a YAML file */
        post: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "Idempotency-Key"?: string;
                    "If-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description The name.
                         * @default import.yaml
                         */
                        name?: string;
                        /** @description A secret that is `***` stays as it is. Settings such as `listen` are left out, because they stay in the file of each node. */
                        yaml: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Models with their channels, routes and prices */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["ConfigRecord"][];
                            revision: number | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a model with its channels, routes and prices */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The id. */
                            id: string;
                            revision: number | null;
                            /** @description As the file writes it; a secret is `***`. */
                            value: unknown;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        /** Create or replace a model with its channels, routes and prices */
        put: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        value: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        post?: never;
        /** Retire a model; its receipts, price cards and revisions stay */
        delete: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change a model with its channels, routes and prices, by a JSON merge patch */
        patch: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        value: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/v1/config/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which revision each running node has */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["ConfigNode"][];
                            newest_revision: number;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/prices/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compare the configured prices with public price data */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description What callers pay, or what the operator pays.
                         * @default price
                         * @enum {string}
                         */
                        compare?: "price" | "cost";
                        /**
                         * @description The largest change in percent that does not wait for a person.
                         * @default 20
                         */
                        max_jump?: string;
                        /** @description LiteLLM's price map, or `api.json` of models.dev. Or give `url`. */
                        text?: string;
                        /** @description Where the gateway reads it: a public https address. */
                        url?: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PriceComparison"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/prices/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Price the requests of the last 30 days at proposed prices, and change nothing */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        document: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PricePreview"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Exchange rates */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["ConfigRecord"][];
                            revision: number | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/rates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an exchange rate, such as `USD%2FCNY` */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The id. */
                            id: string;
                            revision: number | null;
                            /** @description As the file writes it; a secret is `***`. */
                            value: unknown;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        /** Create or replace an exchange rate, such as `USD%2FCNY` */
        put: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        value: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        post?: never;
        /** Remove an exchange rate */
        delete: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change an exchange rate, such as `USD%2FCNY`, by a JSON merge patch */
        patch: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        value: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/v1/config/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Revisions, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["ConfigRevision"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/revisions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A revision, with its changes */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            at: string;
                            /** @description `system`, `admin`, or the id of a person. */
                            by: string;
                            /** @description The person's name. */
                            by_name: string | null;
                            /** @description Against the revision before. */
                            changes: components["schemas"]["ConfigDifference"][];
                            /** @description How many settings it changed; null for the first and for those of old versions. */
                            changes_count: number | null;
                            /** @description SHA-256 of the document. */
                            checksum: string;
                            /** @description The settings as the file writes them; secrets are `***`. */
                            document: {
                                [key: string]: unknown;
                            };
                            note: string;
                            /**
                             * @description The file of the first node, an edit, an imported file, or an earlier revision.
                             * @enum {string}
                             */
                            origin: "file" | "change" | "import" | "restore";
                            /** @description The first five settings that it changed. */
                            paths: string[];
                            /** @description The earlier revision of a restore. */
                            restored: number | null;
                            revision: number;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/revisions/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make an earlier revision the newest one */
        post: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "Idempotency-Key"?: string;
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The other sections of the settings */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["ConfigRecord"][];
                            revision: number | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/settings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a section of the settings, such as `limits` */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The id. */
                            id: string;
                            revision: number | null;
                            /** @description As the file writes it; a secret is `***`. */
                            value: unknown;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        /** Create or replace a section of the settings, such as `limits` */
        put: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        value: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        post?: never;
        /** Reset a section of the settings to its defaults */
        delete: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change a section of the settings, such as `limits`, by a JSON merge patch */
        patch: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        value: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/v1/config/upstreams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Upstreams */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["ConfigRecord"][];
                            revision: number | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/config/upstreams/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an upstream */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The id. */
                            id: string;
                            revision: number | null;
                            /** @description As the file writes it; a secret is `***`. */
                            value: unknown;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        /** Create or replace an upstream */
        put: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        value: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        post?: never;
        /** Remove an upstream that no route names */
        delete: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change an upstream, by a JSON merge patch */
        patch: {
            parameters: {
                query?: {
                    confirm?: string;
                    dry_run?: "true" | "false";
                    note?: string;
                };
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        value: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfigChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/v1/fx-rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Published exchange rates, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["FxRate"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invitations, the newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Invitation"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        /** Invite a person to an account or a new one; the link is shown only once */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The account that pays. */
                        account_id?: string;
                        account_name?: string;
                        email?: string | null;
                        /**
                         * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                         * @enum {string}
                         */
                        role: "read_only" | "member" | "owner" | "administrator";
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewInvitation"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an open invitation */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The id. */
                            id: string;
                            removed: boolean;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** API keys, of one account or all */
        get: {
            parameters: {
                query?: {
                    account_id?: string;
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Key"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        /** Create an API key; its secret is shown once */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The account that pays. */
                        account_id: string;
                        /** @description When the key expires; null: never. */
                        expires_at?: string | null;
                        limits?: {
                            /** @description The channels on which the model is sold. */
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            /** @description The most requests at once; null: no limit. */
                            concurrency?: number | null;
                            /** @description The addresses from which the key works; null: all. */
                            ip_ranges?: string[] | null;
                            /** @description The models that the key may use; null: all. */
                            models?: string[] | null;
                            /** @description The most requests per minute; null: no limit. */
                            requests_per_minute?: number | null;
                            /** @description What was or may be spent, by period. */
                            spend?: {
                                /** @description In one day (UTC). */
                                day?: string | null;
                                /** @description In one month (UTC). */
                                month?: string | null;
                                /** @description In all. */
                                total?: string | null;
                                /** @description In one week (UTC), from Monday. */
                                week?: string | null;
                            };
                            /** @description The most tokens per minute; null: no limit. */
                            tokens_per_minute?: number | null;
                        };
                        /** @description The name. */
                        name: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedKey"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An API key with its limits and what remains of them */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Key"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Revoke an API key for good */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Key"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change an API key and its limits */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description When the key expires; null: never. */
                        expires_at?: string | null;
                        limits?: {
                            /** @description The channels on which the model is sold. */
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            /** @description The most requests at once; null: no limit. */
                            concurrency?: number | null;
                            /** @description The addresses from which the key works; null: all. */
                            ip_ranges?: string[] | null;
                            /** @description The models that the key may use; null: all. */
                            models?: string[] | null;
                            /** @description The most requests per minute; null: no limit. */
                            requests_per_minute?: number | null;
                            /** @description What was or may be spent, by period. */
                            spend?: {
                                /** @description In one day (UTC). */
                                day?: string | null;
                                /** @description In one month (UTC). */
                                month?: string | null;
                                /** @description In all. */
                                total?: string | null;
                                /** @description In one week (UTC), from Monday. */
                                week?: string | null;
                            };
                            /** @description The most tokens per minute; null: no limit. */
                            tokens_per_minute?: number | null;
                        };
                        /** @description The name. */
                        name?: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Key"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/v1/keys/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Disable an API key until it is enabled again */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Key"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enable a disabled API key */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Key"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rotate the secret of an API key; the old one works until the overlap ends */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        overlap?: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedKey"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/ledger/overruns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests that cost more than was held for them, newest first */
        get: {
            parameters: {
                query?: {
                    account_id?: string;
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Overrun"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/ledger/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compare a provider's usage report, or its bill as CSV, with the receipts */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        columns?: {
                            [key: string]: string;
                        };
                        csv?: string;
                        /**
                         * @description The currency: USD or CNY.
                         * @enum {string}
                         */
                        currency?: "USD" | "CNY";
                        /** @description The currency before the exchange. */
                        from?: string;
                        /** @description The currency after the exchange. */
                        to?: string;
                        upstream?: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Reconciliations"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/ledger/reconciliations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The nightly comparisons with the usage reports of providers, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["NightlyReconciliation"][];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/ledger/reset-windows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reset spending windows that begin in the future, after a clock was wrong */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WindowsReset"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/ledger/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check every invariant of the ledger */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LedgerVerification"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Incidents and maintenance of the status page, latest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["AdminNotice"][];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        /** Write an incident or planned maintenance on the status page */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Models, channels of all models, or channels of a model. Empty: everything. */
                        affects?: {
                            /**
                             * @description The channel that served the request.
                             * @enum {string}
                             */
                            channel?: "direct" | "stable" | "economical";
                            /** @description The id of the model. */
                            model?: string;
                        }[];
                        /**
                         * Format: date-time
                         * @description Required for maintenance. Of an incident: if it is resolved already.
                         */
                        ends_at?: string;
                        /**
                         * @description The kind.
                         * @enum {string}
                         */
                        kind: "incident" | "maintenance";
                        /**
                         * Format: date-time
                         * @description Now unless given. An incident begins in the past, maintenance within a year.
                         */
                        starts_at?: string;
                        /**
                         * @description Of an incident: investigating unless given. The state of maintenance follows from its times.
                         * @enum {string}
                         */
                        state?: "investigating" | "identified" | "monitoring" | "resolved";
                        /** @description Plain text, for the public. */
                        text: string;
                        /** @description One line of plain text, for the public. */
                        title: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminNotice"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/notices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An incident or maintenance */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminNotice"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Remove it from the status page */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            deleted: true;
                            /** @description The id. */
                            id: string;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Correct an incident or maintenance */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Models, channels of all models, or channels of a model. Empty: everything. */
                        affects?: {
                            /**
                             * @description The channel that served the request.
                             * @enum {string}
                             */
                            channel?: "direct" | "stable" | "economical";
                            /** @description The id of the model. */
                            model?: string;
                        }[];
                        /**
                         * Format: date-time
                         * @description Of maintenance, or a resolved incident.
                         */
                        ends_at?: string;
                        /** Format: date-time */
                        starts_at?: string;
                        /** @description Replaces the text of the latest update. */
                        text?: string;
                        /** @description One line of plain text, for the public. */
                        title?: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminNotice"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/v1/notices/{id}/updates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add an update, or resolve it */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description As before unless given. Another state than resolved opens a resolved incident again. Maintenance takes resolved only, which ends it now, or cancels it before its start.
                         * @enum {string}
                         */
                        state?: "investigating" | "identified" | "monitoring" | "resolved";
                        /** @description Plain text, for the public. */
                        text: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminNotice"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/payment-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events of the payment provider and their results, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["PaymentEvent"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** People of all accounts, oldest first; `search` finds part of a name or e-mail address */
        get: {
            parameters: {
                query?: {
                    account_id?: string;
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    email?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    search?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Member"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A person */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Member"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Remove a person and end their sessions */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The id. */
                            id: string;
                            removed: boolean;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change a person's role or account */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The account that pays. */
                        account_id?: string;
                        /**
                         * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                         * @enum {string}
                         */
                        role?: "read_only" | "member" | "owner" | "administrator";
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Member"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/v1/people/{id}/reset-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a password reset link for a person; it is shown only once */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneTimeLink"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/people/{id}/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a lost authenticator and its recovery codes */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Member"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The known makes of providers */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Provider"][];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/providers/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read a provider's list of models */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description Whether the address may be in a private network.
                         * @default false
                         */
                        allow_private?: boolean;
                        /** @description Used for this call only; null for a server that needs none. */
                        api_key: string | null;
                        /** @description As `base_url` of an upstream. */
                        base_url: string;
                        /** @enum {string} */
                        make: "generic" | "openai" | "anthropic" | "deepseek" | "vllm" | "sglang" | "ollama" | "llama.cpp" | "litellm" | "openrouter" | "moonshot" | "xai" | "gemini" | "bedrock" | "modelgate";
                        /** @enum {string} */
                        protocol: "openai" | "anthropic";
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProviderModels"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/providers/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Test a provider that is not saved, by asking for a few tokens */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description Whether the address may be in a private network.
                         * @default false
                         */
                        allow_private?: boolean;
                        /** @description Used for this call only; null for a server that needs none. */
                        api_key: string | null;
                        /** @description As `base_url` of an upstream. */
                        base_url: string;
                        /** @enum {string} */
                        make: "generic" | "openai" | "anthropic" | "deepseek" | "vllm" | "sglang" | "ollama" | "llama.cpp" | "litellm" | "openrouter" | "moonshot" | "xai" | "gemini" | "bedrock" | "modelgate";
                        /** @description The provider's name of the model. */
                        model: string;
                        /** @enum {string} */
                        protocol: "openai" | "anthropic";
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UpstreamTest"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/redeem-batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Batches of redeem codes, oldest first; `search` finds part of a reason, or an id */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    search?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["RedeemBatch"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        /** Create redeem codes; they are shown only once */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        amount: string;
                        /** @description How many. */
                        count: number;
                        /**
                         * @description The currency: USD or CNY.
                         * @enum {string}
                         */
                        currency: "USD" | "CNY";
                        /** @description When the key expires; null: never. */
                        expires_at?: string | null;
                        /** @description Why the balance changed; null: see the request. */
                        reason: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedRedeemBatch"];
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/redeem-batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A batch, with the number of redeemed codes */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RedeemBatch"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Cancel the codes that are not redeemed */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RedeemBatch"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/redeem-batches/{id}/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The codes of a batch: which are redeemed, by which account */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["RedeemCode"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/redeem-batches/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The batch of a redeem code */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The redeem code. */
                        code: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RedeemBatch"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests of all accounts or one that were refused before anything was charged */
        get: {
            parameters: {
                query?: {
                    account_id?: string;
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    code?: string;
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    id?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description Only this model. */
                    model?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Of a flood, only a sample is listed. */
                            data: components["schemas"]["AdminRefusal"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/refusals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One request of any account that was refused */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["AdminRefusalDetails"];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/refusals/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many requests of all accounts or one were refused, by day and error code */
        get: {
            parameters: {
                query?: {
                    account_id?: string;
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["RefusalCount"][];
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            from: string;
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            to: string;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests of all accounts or one, newest first, with their upstreams */
        get: {
            parameters: {
                query?: {
                    account_id?: string;
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description Only this channel. */
                    channel?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    id?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description Only requests that cost at least this much. */
                    min_cost?: string;
                    /** @description Only this model. */
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
                    /** @description The end of the period, exclusive. */
                    to?: string;
                    upstream?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["AdminRequestRecord"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One request with its itemized cost and its margin */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["AdminRequestDetails"];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/requests/{id}/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The logged prompt and answer of a request of any account */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Null if the request was not logged, or its prompt is deleted. */
                            data: components["schemas"]["LoggedPrompt"] | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/requests/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refund the charge of a request, or part of it */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        amount: "all" | string;
                        /** @description The id. */
                        id?: string;
                        /** @description Why the balance changed; null: see the request. */
                        reason: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refund"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refund"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/requests/histogram": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests of all accounts or one over time, and how many failed */
        get: {
            parameters: {
                query?: {
                    account_id?: string;
                    /** @description Only this channel. */
                    channel?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    id?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description Only requests that cost at least this much. */
                    min_cost?: string;
                    /** @description Only this model. */
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
                    time_zone?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                    upstream?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RequestHistogram"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health of every route of every channel, as this process sees it */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["RouteHealth"][];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Secrets and the settings that use them, by name */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Secret"][];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/secrets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Store a secret */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name of the file. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Never shown again. Replaces an earlier value. */
                        value: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Secret"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a secret that no setting uses */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name of the file. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            deleted: true;
                            /** @description The name. */
                            name: string;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/secrets/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Encrypt all secrets under the first key */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SecretRotation"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The settings in force, each with its source */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Setting"][];
                            /** @description A file, such as a PDF. */
                            file: string;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/setup-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create the link that makes the first administrator; earlier links are revoked */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneTimeLink"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Revenue, cost, failures and news of all accounts over some days, 30 by default */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorSummary"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/upstreams/{name}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Drain, disable or enable an upstream or one of its routes, on all nodes */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The name of the file. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Required if `stops` is not empty. */
                        confirm?: boolean;
                        /** @description Only say what would stop. */
                        dry_run?: boolean;
                        /** @description Return to service after this time; without it, somebody has to enable it. */
                        for_seconds?: number;
                        /** @description The upstream's own name of the model; without it, all routes of the upstream. */
                        model?: string;
                        /** @description Why the balance changed; null: see the request. */
                        reason?: string;
                        /**
                         * @description drained: no new requests, running ones finish. disabled: running ones are ended too; those without an answer yet try another route. enabled: in service.
                         * @enum {string}
                         */
                        state: "enabled" | "drained" | "disabled";
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RouteStateChange"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/upstreams/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Test an upstream by asking for a few tokens */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The name of the file. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the model. */
                        model?: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UpstreamTest"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Usage and charges of all accounts or one, with totals */
        get: {
            parameters: {
                query?: {
                    account_id?: string;
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description Only this channel. */
                    channel?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description The fields by which usage is added up. */
                    group_by?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description Only this model. */
                    model?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["AdminUsageRow"][];
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            from: string;
                            /** @description The fields by which the rows are added up. */
                            group_by: ("day" | "account" | "model" | "key" | "channel")[];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            to: string;
                            /** @description One row a currency, over all pages. */
                            total: components["schemas"]["AdminUsageRow"][];
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hello": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Answers client probes */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            ok: true;
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The console, for browsers */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/html": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/{rest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page or a file of the console */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    rest: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/html": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's low-balance thresholds */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertThresholds"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        /** Set the account's low-balance thresholds */
        put: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        CNY?: string | null;
                        USD?: string | null;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertThresholds"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a chat completion */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The voice and format of spoken answers. */
                        audio?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Makes words less likely the more often they occurred, −2 to 2. */
                        frequency_penalty?: number | null;
                        /** @description Which function to call (deprecated: use `tool_choice`). */
                        function_call?: (string | ({
                            /** @description The name. */
                            name: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        /** @description The functions that may be called (deprecated: use `tools`). */
                        functions?: ({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The name. */
                            name: string;
                            /** @description The JSON schema of the arguments. */
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            /** @description Whether the answer follows the schema exactly. */
                            strict?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        })[] | null;
                        /** @description Makes tokens more or less likely, by token id. */
                        logit_bias?: {
                            [key: string]: number;
                        } | null;
                        /** @description Whether to return the probabilities of tokens. */
                        logprobs?: boolean | null;
                        /** @description Most tokens each choice may have, reasoning included. */
                        max_completion_tokens?: number | null;
                        /** @description Older name of `max_completion_tokens`, which wins over it. */
                        max_tokens?: number | null;
                        /** @description The conversation so far, oldest first. */
                        messages: ({
                            /** @description The text, or the parts, of the message. */
                            content?: (string | (({
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description An image, as an https address or a data URL. */
                                image_url: {
                                    /** @description An https address or a data URL. */
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "image_url";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description A file, such as a PDF. */
                                file: {
                                    /** @description The file as a data URL, base64 or an https address. */
                                    file_data?: string | null;
                                    /** @description The id of an uploaded file; files are not stored here. */
                                    file_id?: string | null;
                                    /** @description The name of the file. */
                                    filename?: string | null;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Audio of the prompt. */
                                input_audio: {
                                    /** @description The audio in base64. */
                                    data: string;
                                    /** @description The format of the audio, such as `wav`. */
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "video_url";
                                /** @description A video, as an https address or a data URL. */
                                video_url: {
                                    /** @description An https address or a data URL. */
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The text with which the model refused. */
                                refusal: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[]) | null;
                            /** @description The name of the participant. */
                            name?: string | null;
                            /**
                             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                             * @enum {string}
                             */
                            role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
                            /** @description The id of the call that this message answers. */
                            tool_call_id?: string | null;
                            /** @description The tools that the model calls. */
                            tool_calls?: ({
                                /** @description The function and its arguments. */
                                function?: ({
                                    /** @description The arguments of the call, as JSON text. */
                                    arguments: string;
                                    /** @description The name of the function. */
                                    name: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The id of the call, which its result names. */
                                id: string;
                                /** @description The kind of entry. */
                                type?: string | null;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Notes of the caller, which are not stored here. */
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        /** @description What the answer may contain: `text`, `audio`. */
                        modalities?: string[] | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        /** @description How strictly the provider filters. */
                        moderation?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How many answers to generate. Each is charged. */
                        n?: number | null;
                        /** @description Whether the model may call several tools at once. */
                        parallel_tool_calls?: boolean | null;
                        /** @description Text that the answer is expected to contain. */
                        prediction?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Makes words less likely that occurred before, −2 to 2. */
                        presence_penalty?: number | null;
                        /** @description Groups requests whose prompts begin alike. */
                        prompt_cache_key?: string | null;
                        /** @description How prompts are cached. */
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How long prompts are cached. */
                        prompt_cache_retention?: string | null;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How much the model thinks. */
                        reasoning_effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                        /** @description The form of the answer: text, JSON, or JSON of a schema. */
                        response_format?: ({
                            /** @description The schema that the answer follows. */
                            json_schema?: {
                                /** @description The name. */
                                name: string;
                                /** @description The JSON schema. */
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                /** @description Whether the answer follows the schema exactly. */
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @enum {string}
                             */
                            type: "text" | "json_object" | "json_schema";
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description A stable id of your user, for the provider. */
                        safety_identifier?: string | null;
                        /** @description Makes answers repeatable, as far as the provider can. */
                        seed?: number | null;
                        /** @description How fast the request is served, if the price card sells it. */
                        service_tier?: string | null;
                        /** @description Texts at which the answer ends. */
                        stop?: (string | string[]) | null;
                        /** @description Whether the provider stores the answer; nothing is stored here. */
                        store?: boolean | null;
                        /** @description true: an event stream. false or null: JSON. Omitted: a stream for callers that accept text/event-stream and for command-line tools, JSON for everyone else. */
                        stream?: boolean | null;
                        /** @description Options of streams. */
                        stream_options?: ({
                            /** @description Whether events are padded to hide their length. */
                            include_obfuscation?: boolean | null;
                            /** @description Whether the last event has the usage and the cost. */
                            include_usage?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Higher is more random. */
                        temperature?: number | null;
                        /** @description Whether the model may, must or must not call tools. */
                        tool_choice?: (("none" | "auto" | "required") | ({
                            /** @description The function and its arguments. */
                            function: {
                                /** @description The name of the function. */
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A tool that takes free text. */
                            custom: {
                                /** @description The name. */
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The tools among which the model may choose. */
                            allowed_tools: {
                                /**
                                 * @description The mode.
                                 * @enum {string}
                                 */
                                mode: "auto" | "required";
                                /** @description The tools that the model may call. */
                                tools: {
                                    [key: string]: unknown;
                                }[];
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "allowed_tools";
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        /** @description The tools that the model may call. */
                        tools?: (({
                            /** @description The function and its arguments. */
                            function: {
                                /** @description What the function does, for the model. */
                                description?: string | null;
                                /** @description The name of the function. */
                                name: string;
                                /** @description The JSON schema of the arguments. */
                                parameters?: {
                                    [key: string]: unknown;
                                } | null;
                                /** @description Whether the answer follows the schema exactly. */
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A tool that takes free text. */
                            custom: {
                                /** @description The name. */
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        /** @description How many alternatives of each token to return. */
                        top_logprobs?: number | null;
                        /** @description Samples only among the likeliest tokens that reach this share. */
                        top_p?: number | null;
                        /** @description A stable id of your user, for the provider. */
                        user?: string | null;
                        /** @description How long the answer is: `low`, `medium` or `high`. */
                        verbosity?: ("low" | "medium" | "high") | null;
                        /** @description How the model searches the web, if the price card sells it. */
                        web_search_options?: {
                            [key: string]: unknown;
                        } | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChatCompletion"];
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/images/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Generate images */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description `auto`, `opaque` or `transparent`, of models that list it under `backgrounds`. */
                        background?: string | null;
                        /** @description Id of an image model, such as `img-3`. */
                        model: string;
                        /** @description `auto` or `low`, of models that list it under `moderations`. */
                        moderation?: string | null;
                        /** @description How many images; 1 when absent. `img-3` draws only 1. */
                        n?: number | null;
                        /** @description The quality of JPEG and WebP files, 0 to 100. */
                        output_compression?: number | null;
                        /** @description `png`, `jpeg` or `webp`, of models that list it under `output_formats`. */
                        output_format?: string | null;
                        /** @description How many partial images a stream has at most; 0 when absent. */
                        partial_images?: number | null;
                        /** @description What the image shows, in any language. */
                        prompt: string;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description `standard` (default) or `hd`; `img-3` only. */
                        quality?: string | null;
                        /** @description `url` (default): a temporary address. `b64_json` (default of edits): the file itself. */
                        response_format?: ("url" | "b64_json") | null;
                        /** @description `WIDTHxHEIGHT`; `1024x1024` when absent. */
                        size?: string | null;
                        /** @description true: server-sent events with base64, of models with `max_partial_images`. */
                        stream?: boolean | null;
                        /** @description `vivid` (default) or `natural`; `img-3` only. */
                        style?: string | null;
                        /** @description Your end user, for abuse detection. */
                        user?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Images"];
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invitations, the newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Invitation"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        /** Invite a person to your account; the link is shown only once */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        email?: string | null;
                        /**
                         * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                         * @enum {string}
                         */
                        role: "read_only" | "member" | "owner" | "administrator";
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewInvitation"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an open invitation */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The id. */
                            id: string;
                            removed: boolean;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's API keys, oldest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Key"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        /** Create an API key; its secret is shown once */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description When the key expires; null: never. */
                        expires_at?: string | null;
                        limits?: {
                            /** @description The channels on which the model is sold. */
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            /** @description The most requests at once; null: no limit. */
                            concurrency?: number | null;
                            /** @description The addresses from which the key works; null: all. */
                            ip_ranges?: string[] | null;
                            /** @description The models that the key may use; null: all. */
                            models?: string[] | null;
                            /** @description The most requests per minute; null: no limit. */
                            requests_per_minute?: number | null;
                            /** @description What was or may be spent, by period. */
                            spend?: {
                                /** @description In one day (UTC). */
                                day?: string | null;
                                /** @description In one month (UTC). */
                                month?: string | null;
                                /** @description In all. */
                                total?: string | null;
                                /** @description In one week (UTC), from Monday. */
                                week?: string | null;
                            };
                            /** @description The most tokens per minute; null: no limit. */
                            tokens_per_minute?: number | null;
                        };
                        /** @description The name. */
                        name: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedKey"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An API key with its limits and what remains of them */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Key"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Revoke an API key for good */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Key"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change an API key and its limits */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description When the key expires; null: never. */
                        expires_at?: string | null;
                        limits?: {
                            /** @description The channels on which the model is sold. */
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            /** @description The most requests at once; null: no limit. */
                            concurrency?: number | null;
                            /** @description The addresses from which the key works; null: all. */
                            ip_ranges?: string[] | null;
                            /** @description The models that the key may use; null: all. */
                            models?: string[] | null;
                            /** @description The most requests per minute; null: no limit. */
                            requests_per_minute?: number | null;
                            /** @description What was or may be spent, by period. */
                            spend?: {
                                /** @description In one day (UTC). */
                                day?: string | null;
                                /** @description In one month (UTC). */
                                month?: string | null;
                                /** @description In all. */
                                total?: string | null;
                                /** @description In one week (UTC), from Monday. */
                                week?: string | null;
                            };
                            /** @description The most tokens per minute; null: no limit. */
                            tokens_per_minute?: number | null;
                        };
                        /** @description The name. */
                        name?: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Key"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/console/api/keys/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Disable an API key until it is enabled again */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Key"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/keys/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enable a disabled API key */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Key"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rotate the secret of an API key; the old one works until the overlap ends */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        overlap?: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedKey"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Movements of the account's wallets, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description Only movements of this kind. */
                    kind?: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Movement"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a setup, invitation or reset link is for */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Link"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The people of your account; `search` finds part of a name or e-mail address */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    search?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Member"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A person */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Member"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Remove a person and end their sessions */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The id. */
                            id: string;
                            removed: boolean;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change the role of a person in your account */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                         * @enum {string}
                         */
                        role: "read_only" | "member" | "owner" | "administrator";
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Member"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/console/api/members/{id}/reset-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a password reset link for a person; it is shown only once */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneTimeLink"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The models with channels, prices and health, even if the catalogue is not public */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Model"][];
                            /** @description The id of the first entry; null: none. */
                            first_id: string | null;
                            /** @description Whether more entries follow. */
                            has_more: boolean;
                            /** @description The id of the last entry; null: none. */
                            last_id: string | null;
                            /** @description For Codex, which asks with `client_version`. */
                            models?: ({
                                /** @description The instructions that Codex gives this model. */
                                base_instructions: string;
                                /** @description The id of the model. */
                                slug: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                            /** @constant */
                            object: "list";
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Balances, runway and recent requests of the account */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Overview"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/pages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A public page that the operator has written */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BrandPage"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password with a link, end all sessions, and sign in */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        password: string;
                        token: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your profile */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Profile"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change your name */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The name. */
                        name: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Profile"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/console/api/profile/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change your password and end all your other sessions */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        current_password: string;
                        new_password: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Profile"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/profile/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your sessions, newest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Session"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** End all your other sessions */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            ended: number;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/profile/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            ended: number;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/profile/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to set up an authenticator; a correct code confirms it */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TotpSetup"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        /** Remove the authenticator */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Profile"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/profile/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm the authenticator */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The redeem code. */
                        code: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Profile"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/profile/totp/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create new recovery codes; earlier ones stop working */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            recovery_codes: string[];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/prompt-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether prompts of the account or of its keys are logged */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description For what prompts and answers are logged, the whole account first. */
                            data: components["schemas"]["PromptLogging"][];
                            /** @description How long a prompt is kept. */
                            kept_seconds: number;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        /** Turn the logging of prompts on or off, for the account or one of its keys */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The API key. */
                        key_id: string | null;
                        on: boolean;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description For what prompts and answers are logged, the whole account first. */
                            data: components["schemas"]["PromptLogging"][];
                            /** @description How long a prompt is kept. */
                            kept_seconds: number;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/prompt-log/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete all of the account's logged prompts */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            deleted: number;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeem a code for credit in the account's wallet */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The redeem code. */
                        code: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Redeemed"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Redeemed"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests that ended with an error before anything was charged, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    code?: string;
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    id?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description Only this model. */
                    model?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Of a flood, only a sample is listed. */
                            data: components["schemas"]["Refusal"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/refusals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One request that was refused */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Refusal"];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/refusals/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many requests were refused, by day and error code */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["RefusalCount"][];
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            from: string;
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            to: string;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's requests, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description Only this channel. */
                    channel?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    id?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description Only requests that cost at least this much. */
                    min_cost?: string;
                    /** @description Only this model. */
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["RequestRecord"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One request, with its cost line by line */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["RequestDetails"];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/requests/{id}/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The prompt and the answer of a request, if they were logged */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Null if the request was not logged, or its prompt is deleted. */
                            data: components["schemas"]["LoggedPrompt"] | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete the logged prompt of a request */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            deleted: number;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/requests/histogram": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Number of requests over time, and how many failed */
        get: {
            parameters: {
                query?: {
                    /** @description Only this channel. */
                    channel?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    id?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description Only requests that cost at least this much. */
                    min_cost?: string;
                    /** @description Only this model. */
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
                    time_zone?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RequestHistogram"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The current session, and which ways to sign in exist */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionState"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create the first administrator with the link from the log, and sign in */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        account_name?: string;
                        email: string;
                        /** @description The name. */
                        name: string;
                        password: string;
                        token: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with email address and password */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        email: string;
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sign-in/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Two-factor authentication: a code of the authenticator, or a recovery code */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The redeem code. */
                        code: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End this session */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            signed_out: boolean;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation, or create an account where sign-up is open, and sign in */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        account_name?: string;
                        email: string;
                        /** @description The name. */
                        name: string;
                        password: string;
                        token?: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Monthly statements: opening and closing balance of each wallet, and the movements between */
        get: {
            parameters: {
                query?: {
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["MonthlyStatement"][];
                            /** @description False: not all movements are summed yet. Retry to continue. */
                            is_whole: boolean;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Status of each model on each channel */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * Format: date-time
                             * @description When this was judged.
                             */
                            at: string;
                            /**
                             * Format: date-time
                             * @description When the first of the `hours` began.
                             */
                            hours_from: string;
                            /** @description All models. */
                            models: components["schemas"]["ModelStatus"][];
                            /** @description Open incidents, and maintenance that is planned or in progress. */
                            notices: components["schemas"]["Notice"][];
                            /**
                             * @description down: every model is. degraded: some channel is, or an incident is investigated or identified. unknown: there is data of no channel.
                             * @enum {string}
                             */
                            status: "healthy" | "degraded" | "down" | "unknown";
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/status/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Success of each channel by day, and incidents, for 90 days */
        get: {
            parameters: {
                query?: {
                    model?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * Format: date-time
                             * @description When this was judged.
                             */
                            at: string;
                            /**
                             * Format: date-time
                             * @description The first of the 90 days; days are UTC days.
                             */
                            days_from: string;
                            /** @description The incidents of 90 days, latest first. */
                            incidents: components["schemas"]["Incident"][];
                            /** @description All models, or the one that `model` names. */
                            models: {
                                /** @description Its channels. */
                                channels: components["schemas"]["ChannelHistory"][];
                                /** @description The id of the model. */
                                id: string;
                            }[];
                            /** @description All incidents and maintenance of 90 days, latest first. */
                            notices: components["schemas"]["Notice"][];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/top-ups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's top-ups by card, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Limits of one payment; null: no payment provider is configured. */
                            card_limits: {
                                CNY: {
                                    /**
                                     * @description A decimal string.
                                     * @example 12.345000000
                                     * @example 0.000123400
                                     * @example 250.00
                                     */
                                    max: string;
                                    /**
                                     * @description A decimal string.
                                     * @example 12.345000000
                                     * @example 0.000123400
                                     * @example 250.00
                                     */
                                    min: string;
                                };
                                USD: {
                                    /**
                                     * @description A decimal string.
                                     * @example 12.345000000
                                     * @example 0.000123400
                                     * @example 250.00
                                     */
                                    max: string;
                                    /**
                                     * @description A decimal string.
                                     * @example 12.345000000
                                     * @example 0.000123400
                                     * @example 250.00
                                     */
                                    min: string;
                                };
                            } | null;
                            /** @description The entries of the page. */
                            data: components["schemas"]["TopUp"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        /** Top up by card; the answer has the URL of the payment page */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The amount to pay, as a decimal string. */
                        amount: string;
                        /**
                         * @description The currency: USD or CNY.
                         * @enum {string}
                         */
                        currency: "USD" | "CNY";
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TopUp"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/top-ups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A top-up by card */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TopUp"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Usage and charges by day, model, key and channel, with totals */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description Only this channel. */
                    channel?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description The fields by which usage is added up. */
                    group_by?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description Only this model. */
                    model?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["UsageRow"][];
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            from: string;
                            /** @description The fields by which the rows are added up. */
                            group_by: ("day" | "model" | "key" | "channel")[];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            to: string;
                            /** @description One row a currency, over all pages. */
                            total: components["schemas"]["UsageRow"][];
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's wallets, for frequent polling */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["WatchedWallet"][];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The logo of the operator's brand */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/png": unknown;
                        "image/svg+xml": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a generated image by its signed, temporary URL */
        get: {
            parameters: {
                query: {
                    /** @description When the link expires, in seconds since 1970. */
                    exp: string;
                    /** @description The signature of the link. */
                    sig: string;
                };
                header?: never;
                path: {
                    /** @description The name of the file. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/jpeg": unknown;
                        "image/png": unknown;
                        "image/webp": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Alive */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description The state.
                             * @constant
                             */
                            status: "ok";
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llms.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this gateway is and sells, for language models */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/markdown": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prometheus metrics */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description */
        get: {
            parameters: {
                query?: {
                    audience?: "callers";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The version of OpenAPI. */
                            openapi: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** May take traffic */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description The state.
                             * @constant
                             */
                            status: "ready";
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/robots.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What search engines may read */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sitemap.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public pages */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/xml": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/status.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Status of each model on each channel */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * Format: date-time
                             * @description When this was judged.
                             */
                            at: string;
                            /**
                             * Format: date-time
                             * @description When the first of the `hours` began.
                             */
                            hours_from: string;
                            /** @description All models. */
                            models: components["schemas"]["ModelStatus"][];
                            /** @description Open incidents, and maintenance that is planned or in progress. */
                            notices: components["schemas"]["Notice"][];
                            /**
                             * @description down: every model is. degraded: some channel is, or an incident is investigated or identified. unknown: there is data of no channel.
                             * @enum {string}
                             */
                            status: "healthy" | "degraded" | "down" | "unknown";
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/status/history.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Success of each channel by day, and incidents, for 90 days */
        get: {
            parameters: {
                query?: {
                    model?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * Format: date-time
                             * @description When this was judged.
                             */
                            at: string;
                            /**
                             * Format: date-time
                             * @description The first of the 90 days; days are UTC days.
                             */
                            days_from: string;
                            /** @description The incidents of 90 days, latest first. */
                            incidents: components["schemas"]["Incident"][];
                            /** @description All models, or the one that `model` names. */
                            models: {
                                /** @description Its channels. */
                                channels: components["schemas"]["ChannelHistory"][];
                                /** @description The id of the model. */
                                id: string;
                            }[];
                            /** @description All incidents and maintenance of 90 days, latest first. */
                            notices: components["schemas"]["Notice"][];
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/status/incidents.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The incidents of 90 days, for feed readers */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/atom+xml": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/top-ups/return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where people return to after paying */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/html": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a chat completion */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The voice and format of spoken answers. */
                        audio?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Makes words less likely the more often they occurred, −2 to 2. */
                        frequency_penalty?: number | null;
                        /** @description Which function to call (deprecated: use `tool_choice`). */
                        function_call?: (string | ({
                            /** @description The name. */
                            name: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        /** @description The functions that may be called (deprecated: use `tools`). */
                        functions?: ({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The name. */
                            name: string;
                            /** @description The JSON schema of the arguments. */
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            /** @description Whether the answer follows the schema exactly. */
                            strict?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        })[] | null;
                        /** @description Makes tokens more or less likely, by token id. */
                        logit_bias?: {
                            [key: string]: number;
                        } | null;
                        /** @description Whether to return the probabilities of tokens. */
                        logprobs?: boolean | null;
                        /** @description Most tokens each choice may have, reasoning included. */
                        max_completion_tokens?: number | null;
                        /** @description Older name of `max_completion_tokens`, which wins over it. */
                        max_tokens?: number | null;
                        /** @description The conversation so far, oldest first. */
                        messages: ({
                            /** @description The text, or the parts, of the message. */
                            content?: (string | (({
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description An image, as an https address or a data URL. */
                                image_url: {
                                    /** @description An https address or a data URL. */
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "image_url";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description A file, such as a PDF. */
                                file: {
                                    /** @description The file as a data URL, base64 or an https address. */
                                    file_data?: string | null;
                                    /** @description The id of an uploaded file; files are not stored here. */
                                    file_id?: string | null;
                                    /** @description The name of the file. */
                                    filename?: string | null;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Audio of the prompt. */
                                input_audio: {
                                    /** @description The audio in base64. */
                                    data: string;
                                    /** @description The format of the audio, such as `wav`. */
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "video_url";
                                /** @description A video, as an https address or a data URL. */
                                video_url: {
                                    /** @description An https address or a data URL. */
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The text with which the model refused. */
                                refusal: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[]) | null;
                            /** @description The name of the participant. */
                            name?: string | null;
                            /**
                             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                             * @enum {string}
                             */
                            role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
                            /** @description The id of the call that this message answers. */
                            tool_call_id?: string | null;
                            /** @description The tools that the model calls. */
                            tool_calls?: ({
                                /** @description The function and its arguments. */
                                function?: ({
                                    /** @description The arguments of the call, as JSON text. */
                                    arguments: string;
                                    /** @description The name of the function. */
                                    name: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The id of the call, which its result names. */
                                id: string;
                                /** @description The kind of entry. */
                                type?: string | null;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Notes of the caller, which are not stored here. */
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        /** @description What the answer may contain: `text`, `audio`. */
                        modalities?: string[] | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        /** @description How strictly the provider filters. */
                        moderation?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How many answers to generate. Each is charged. */
                        n?: number | null;
                        /** @description Whether the model may call several tools at once. */
                        parallel_tool_calls?: boolean | null;
                        /** @description Text that the answer is expected to contain. */
                        prediction?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Makes words less likely that occurred before, −2 to 2. */
                        presence_penalty?: number | null;
                        /** @description Groups requests whose prompts begin alike. */
                        prompt_cache_key?: string | null;
                        /** @description How prompts are cached. */
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How long prompts are cached. */
                        prompt_cache_retention?: string | null;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How much the model thinks. */
                        reasoning_effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                        /** @description The form of the answer: text, JSON, or JSON of a schema. */
                        response_format?: ({
                            /** @description The schema that the answer follows. */
                            json_schema?: {
                                /** @description The name. */
                                name: string;
                                /** @description The JSON schema. */
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                /** @description Whether the answer follows the schema exactly. */
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @enum {string}
                             */
                            type: "text" | "json_object" | "json_schema";
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description A stable id of your user, for the provider. */
                        safety_identifier?: string | null;
                        /** @description Makes answers repeatable, as far as the provider can. */
                        seed?: number | null;
                        /** @description How fast the request is served, if the price card sells it. */
                        service_tier?: string | null;
                        /** @description Texts at which the answer ends. */
                        stop?: (string | string[]) | null;
                        /** @description Whether the provider stores the answer; nothing is stored here. */
                        store?: boolean | null;
                        /** @description true: an event stream. false or null: JSON. Omitted: a stream for callers that accept text/event-stream and for command-line tools, JSON for everyone else. */
                        stream?: boolean | null;
                        /** @description Options of streams. */
                        stream_options?: ({
                            /** @description Whether events are padded to hide their length. */
                            include_obfuscation?: boolean | null;
                            /** @description Whether the last event has the usage and the cost. */
                            include_usage?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Higher is more random. */
                        temperature?: number | null;
                        /** @description Whether the model may, must or must not call tools. */
                        tool_choice?: (("none" | "auto" | "required") | ({
                            /** @description The function and its arguments. */
                            function: {
                                /** @description The name of the function. */
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A tool that takes free text. */
                            custom: {
                                /** @description The name. */
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The tools among which the model may choose. */
                            allowed_tools: {
                                /**
                                 * @description The mode.
                                 * @enum {string}
                                 */
                                mode: "auto" | "required";
                                /** @description The tools that the model may call. */
                                tools: {
                                    [key: string]: unknown;
                                }[];
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "allowed_tools";
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        /** @description The tools that the model may call. */
                        tools?: (({
                            /** @description The function and its arguments. */
                            function: {
                                /** @description What the function does, for the model. */
                                description?: string | null;
                                /** @description The name of the function. */
                                name: string;
                                /** @description The JSON schema of the arguments. */
                                parameters?: {
                                    [key: string]: unknown;
                                } | null;
                                /** @description Whether the answer follows the schema exactly. */
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A tool that takes free text. */
                            custom: {
                                /** @description The name. */
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        /** @description How many alternatives of each token to return. */
                        top_logprobs?: number | null;
                        /** @description Samples only among the likeliest tokens that reach this share. */
                        top_p?: number | null;
                        /** @description A stable id of your user, for the provider. */
                        user?: string | null;
                        /** @description How long the answer is: `low`, `medium` or `high`. */
                        verbosity?: ("low" | "medium" | "high") | null;
                        /** @description How the model searches the web, if the price card sells it. */
                        web_search_options?: {
                            [key: string]: unknown;
                        } | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChatCompletion"];
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The wallets of the calling key's account */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Credits"];
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create embeddings */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description How many numbers; the model's own number when absent. */
                        dimensions?: number | null;
                        /** @description `float` (default), or `base64`: little-endian 32-bit floats. */
                        encoding_format?: ("float" | "base64") | null;
                        /** @description One text or several, or the same as tokens. */
                        input: string | string[] | number[] | number[][];
                        /** @description What the texts are, such as `query` or `document`, for models that ask. */
                        input_type?: string | null;
                        /** @description Id of an embedding model from the catalogue. */
                        model: string;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Your end user, for abuse detection. */
                        user?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Embeddings"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/generation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The record of one request with its itemized cost, by its x-request-id */
        get: {
            parameters: {
                query: {
                    /** @description The id. */
                    id: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Generation"];
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/edits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Edit images: a multipart form, or JSON with data URLs */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description `auto`, `opaque` or `transparent`, of models that list it under `backgrounds`. */
                        background?: string | null;
                        /** @description Another name of `images`. */
                        image?: (string | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            image_url: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            url: string;
                        } & {
                            [key: string]: unknown;
                        })) | (string | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            image_url: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            url: string;
                        } & {
                            [key: string]: unknown;
                        }))[];
                        /** @description The images to edit. */
                        images?: (string | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            image_url: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            url: string;
                        } & {
                            [key: string]: unknown;
                        }))[];
                        /** @description A PNG. Where it is transparent, the first image is edited. */
                        mask?: (string | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            image_url: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            url: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        /** @description Id of an image model, such as `img-3`. */
                        model: string;
                        /** @description `auto` or `low`, of models that list it under `moderations`. */
                        moderation?: string | null;
                        /** @description How many images; 1 when absent. `img-3` draws only 1. */
                        n?: number | null;
                        /** @description The quality of JPEG and WebP files, 0 to 100. */
                        output_compression?: number | null;
                        /** @description `png`, `jpeg` or `webp`, of models that list it under `output_formats`. */
                        output_format?: string | null;
                        /** @description How many partial images a stream has at most; 0 when absent. */
                        partial_images?: number | null;
                        /** @description What the image shows, in any language. */
                        prompt: string;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description `standard` (default) or `hd`; `img-3` only. */
                        quality?: string | null;
                        /** @description `url` (default): a temporary address. `b64_json` (default of edits): the file itself. */
                        response_format?: ("url" | "b64_json") | null;
                        /** @description `WIDTHxHEIGHT`; `1024x1024` when absent. */
                        size?: string | null;
                        /** @description true: server-sent events with base64, of models with `max_partial_images`. */
                        stream?: boolean | null;
                        /** @description `vivid` (default) or `natural`; `img-3` only. */
                        style?: string | null;
                        /** @description Your end user, for abuse detection. */
                        user?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                    "multipart/form-data": {
                        /** @description `auto`, `opaque` or `transparent`, of models that list it under `backgrounds`. */
                        background?: string | null;
                        /** @description The images to edit: PNG, JPEG or WebP. */
                        image: string | string[];
                        /**
                         * Format: binary
                         * @description A PNG. Where it is transparent, the first image is edited.
                         */
                        mask?: string;
                        /** @description Id of an image model, such as `img-3`. */
                        model: string;
                        /** @description `auto` or `low`, of models that list it under `moderations`. */
                        moderation?: string | null;
                        /** @description How many images; 1 when absent. `img-3` draws only 1. */
                        n?: number | null;
                        /** @description The quality of JPEG and WebP files, 0 to 100. */
                        output_compression?: number | null;
                        /** @description `png`, `jpeg` or `webp`, of models that list it under `output_formats`. */
                        output_format?: string | null;
                        /** @description How many partial images a stream has at most; 0 when absent. */
                        partial_images?: number | null;
                        /** @description What the image shows, in any language. */
                        prompt: string;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description `standard` (default) or `hd`; `img-3` only. */
                        quality?: string | null;
                        /** @description `url` (default): a temporary address. `b64_json` (default of edits): the file itself. */
                        response_format?: ("url" | "b64_json") | null;
                        /** @description `WIDTHxHEIGHT`; `1024x1024` when absent. */
                        size?: string | null;
                        /** @description true: server-sent events with base64, of models with `max_partial_images`. */
                        stream?: boolean | null;
                        /** @description `vivid` (default) or `natural`; `img-3` only. */
                        style?: string | null;
                        /** @description Your end user, for abuse detection. */
                        user?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Images"];
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Generate images */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description `auto`, `opaque` or `transparent`, of models that list it under `backgrounds`. */
                        background?: string | null;
                        /** @description Id of an image model, such as `img-3`. */
                        model: string;
                        /** @description `auto` or `low`, of models that list it under `moderations`. */
                        moderation?: string | null;
                        /** @description How many images; 1 when absent. `img-3` draws only 1. */
                        n?: number | null;
                        /** @description The quality of JPEG and WebP files, 0 to 100. */
                        output_compression?: number | null;
                        /** @description `png`, `jpeg` or `webp`, of models that list it under `output_formats`. */
                        output_format?: string | null;
                        /** @description How many partial images a stream has at most; 0 when absent. */
                        partial_images?: number | null;
                        /** @description What the image shows, in any language. */
                        prompt: string;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description `standard` (default) or `hd`; `img-3` only. */
                        quality?: string | null;
                        /** @description `url` (default): a temporary address. `b64_json` (default of edits): the file itself. */
                        response_format?: ("url" | "b64_json") | null;
                        /** @description `WIDTHxHEIGHT`; `1024x1024` when absent. */
                        size?: string | null;
                        /** @description true: server-sent events with base64, of models with `max_partial_images`. */
                        stream?: boolean | null;
                        /** @description `vivid` (default) or `natural`; `img-3` only. */
                        style?: string | null;
                        /** @description Your end user, for abuse detection. */
                        user?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Images"];
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The calling key with its limits and spending */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["OwnKey"];
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Movements of the account's wallets, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description Only movements of this kind. */
                    kind?: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Movement"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a message */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Marks the end of a part of the prompt that is cached. */
                        cache_control?: ({
                            /** @description How long it is cached: `5m` or `1h`. */
                            ttl?: ("5m" | "1h") | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description When to summarize a long conversation. */
                        compaction?: ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description The container in which code runs. */
                        container?: (string | {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How earlier parts of a long conversation are dropped. */
                        context_management?: ({
                            /** @description The edits of the context, in order. */
                            edits?: ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Diagnostic data of the client, which is ignored. */
                        diagnostics?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Where the request is served. */
                        inference_geo?: string | null;
                        /** @description The most tokens of an answer. */
                        max_tokens: number;
                        /** @description Servers of tools that the provider calls; not supported. */
                        mcp_servers?: {
                            [key: string]: unknown;
                        }[] | null;
                        /** @description The conversation so far, oldest first. */
                        messages: ({
                            /** @description The text, or the parts, of the message. */
                            content?: string | (({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description Where the data is: base64, an address or text. */
                                source: {
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description Context of the document, which is not cited. */
                                context?: string | null;
                                /** @description Where the data is: base64, an address or text. */
                                source: {
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @description The title of the document. */
                                title?: string | null;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "document";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The id of the call, which its result names. */
                                id: string;
                                /** @description The input. */
                                input: {
                                    [key: string]: unknown;
                                };
                                /** @description The name. */
                                name: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "tool_use";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description Whether the tool failed. */
                                is_error?: boolean | null;
                                /** @description The id of the call that this result answers. */
                                tool_use_id: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "tool_result";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The signature of the reasoning, to be sent back unchanged. */
                                signature: string;
                                /** @description The reasoning as text. */
                                thinking: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The opaque data, unchanged. */
                                data: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "redacted_thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            /** @description How much the model thinks, and the form of its answer. */
                            output_config?: ({
                                /** @description How much the model thinks. */
                                effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /**
                             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                             * @enum {string}
                             */
                            role: "user" | "assistant" | "system";
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Notes of the caller, which are not stored here. */
                        metadata?: ({
                            /** @description A stable id of your user, for the provider. */
                            user_id?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description The id of the model. */
                        model: string;
                        /** @description How much the model thinks, and the form of its answer. */
                        output_config?: ({
                            /** @description How much the model thinks. */
                            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            /** @description The form of the output. */
                            format?: ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The tokens for a whole task. */
                            task_budget?: ({
                                /** @description What is left. */
                                remaining?: number | null;
                                /** @description In all. */
                                total: number;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "tokens";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description The form of the answer (deprecated: use `output_config.format`). */
                        output_format?: ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How fast the request is served, if the price card sells it. */
                        service_tier?: string | null;
                        /** @description How fast the request is served, if the price card sells it. */
                        speed?: string | null;
                        /** @description Texts at which the answer ends. */
                        stop_sequences?: string[] | null;
                        /** @description Whether the answer is sent as events while it is generated. */
                        stream?: boolean | null;
                        /** @description The system prompt. */
                        system?: (string | (({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The text. */
                            text: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "text";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description Where the data is: base64, an address or text. */
                            source: {
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "image";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description Context of the document, which is not cited. */
                            context?: string | null;
                            /** @description Where the data is: base64, an address or text. */
                            source: {
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @description The title of the document. */
                            title?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "document";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The id. */
                            id: string;
                            /** @description The input. */
                            input: {
                                [key: string]: unknown;
                            };
                            /** @description The name. */
                            name: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "tool_use";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description Whether the tool failed. */
                            is_error?: boolean | null;
                            /** @description The id of the call that this result answers. */
                            tool_use_id: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "tool_result";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The signature of the reasoning, to be sent back unchanged. */
                            signature: string;
                            /** @description The reasoning as text. */
                            thinking: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The entries of the page. */
                            data: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "redacted_thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[]) | null;
                        /** @description Higher is more random. */
                        temperature?: number | null;
                        /** @description Whether and how the model thinks. */
                        thinking?: ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Whether the model may, must or must not call tools. */
                        tool_choice?: ({
                            /** @description Whether the model may call one tool at a time only. */
                            disable_parallel_tool_use?: boolean | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description The tools that the model may call. */
                        tools?: (({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The JSON schema of the arguments. */
                            input_schema: {
                                [key: string]: unknown;
                            };
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /** @description The kind of entry. */
                            type?: "custom" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        /** @description Samples only among this many tokens. */
                        top_k?: number | null;
                        /** @description Samples only among the likeliest tokens that reach this share. */
                        top_p?: number | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Message"];
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the anthropic dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnthropicError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/count_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Count the tokens of a message */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Marks the end of a part of the prompt that is cached. */
                        cache_control?: ({
                            /** @description How long it is cached: `5m` or `1h`. */
                            ttl?: ("5m" | "1h") | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How earlier parts of a long conversation are dropped. */
                        context_management?: ({
                            /** @description The edits of the context, in order. */
                            edits?: ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Servers of tools that the provider calls; not supported. */
                        mcp_servers?: {
                            [key: string]: unknown;
                        }[] | null;
                        /** @description The conversation so far, oldest first. */
                        messages: ({
                            /** @description The text, or the parts, of the message. */
                            content?: string | (({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description Where the data is: base64, an address or text. */
                                source: {
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description Context of the document, which is not cited. */
                                context?: string | null;
                                /** @description Where the data is: base64, an address or text. */
                                source: {
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @description The title of the document. */
                                title?: string | null;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "document";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The id of the call, which its result names. */
                                id: string;
                                /** @description The input. */
                                input: {
                                    [key: string]: unknown;
                                };
                                /** @description The name. */
                                name: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "tool_use";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description Whether the tool failed. */
                                is_error?: boolean | null;
                                /** @description The id of the call that this result answers. */
                                tool_use_id: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "tool_result";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The signature of the reasoning, to be sent back unchanged. */
                                signature: string;
                                /** @description The reasoning as text. */
                                thinking: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The opaque data, unchanged. */
                                data: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "redacted_thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            /** @description How much the model thinks, and the form of its answer. */
                            output_config?: ({
                                /** @description How much the model thinks. */
                                effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /**
                             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                             * @enum {string}
                             */
                            role: "user" | "assistant" | "system";
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description The id of the model. */
                        model: string;
                        /** @description How much the model thinks, and the form of its answer. */
                        output_config?: ({
                            /** @description How much the model thinks. */
                            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            /** @description The form of the output. */
                            format?: ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The tokens for a whole task. */
                            task_budget?: ({
                                /** @description What is left. */
                                remaining?: number | null;
                                /** @description In all. */
                                total: number;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "tokens";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description The system prompt. */
                        system?: (string | (({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The text. */
                            text: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "text";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description Where the data is: base64, an address or text. */
                            source: {
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "image";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description Context of the document, which is not cited. */
                            context?: string | null;
                            /** @description Where the data is: base64, an address or text. */
                            source: {
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @description The title of the document. */
                            title?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "document";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The id. */
                            id: string;
                            /** @description The input. */
                            input: {
                                [key: string]: unknown;
                            };
                            /** @description The name. */
                            name: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "tool_use";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description Whether the tool failed. */
                            is_error?: boolean | null;
                            /** @description The id of the call that this result answers. */
                            tool_use_id: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "tool_result";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The signature of the reasoning, to be sent back unchanged. */
                            signature: string;
                            /** @description The reasoning as text. */
                            thinking: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The entries of the page. */
                            data: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "redacted_thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[]) | null;
                        /** @description Whether and how the model thinks. */
                        thinking?: ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Whether the model may, must or must not call tools. */
                        tool_choice?: ({
                            /** @description Whether the model may call one tool at a time only. */
                            disable_parallel_tool_use?: boolean | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description The tools that the model may call. */
                        tools?: (({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The JSON schema of the arguments. */
                            input_schema: {
                                [key: string]: unknown;
                            };
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /** @description The kind of entry. */
                            type?: "custom" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TokenCount"];
                    };
                };
                /** @description An error body in the anthropic dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnthropicError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the models with their channels and prices */
        get: {
            parameters: {
                query?: {
                    /** @description The id after which the page begins. */
                    after_id?: string;
                    /** @description The id before which the page ends. */
                    before_id?: string;
                    client_version?: string;
                    /** @description Only models in these stages. */
                    lifecycle?: ("active" | "deprecated" | "retired")[];
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Model"][];
                            /** @description The id of the first entry; null: none. */
                            first_id: string | null;
                            /** @description Whether more entries follow. */
                            has_more: boolean;
                            /** @description The id of the last entry; null: none. */
                            last_id: string | null;
                            /** @description For Codex, which asks with `client_version`. */
                            models?: ({
                                /** @description The instructions that Codex gives this model. */
                                base_instructions: string;
                                /** @description The id of the model. */
                                slug: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                            /** @constant */
                            object: "list";
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One model */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Model"];
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeem a code for credit in the account's wallet */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The redeem code. */
                        code: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Redeemed"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Redeemed"];
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests that ended with an error before anything was charged, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    code?: string;
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    id?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description Only this model. */
                    model?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Of a flood, only a sample is listed. */
                            data: components["schemas"]["Refusal"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refusals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One request that was refused */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Refusal"];
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refusals/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many requests were refused, by day and error code */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["RefusalCount"][];
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            from: string;
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            to: string;
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's requests, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description Only this channel. */
                    channel?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    id?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description Only requests that cost at least this much. */
                    min_cost?: string;
                    /** @description Only this model. */
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["RequestRecord"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One request, with its cost line by line */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["RequestDetails"];
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/histogram": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Number of requests over time, and how many failed */
        get: {
            parameters: {
                query?: {
                    /** @description Only this channel. */
                    channel?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    id?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description Only requests that cost at least this much. */
                    min_cost?: string;
                    /** @description Only this model. */
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
                    time_zone?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RequestHistogram"];
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a response */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Whether to answer later; not supported. */
                        background?: boolean | null;
                        /** @description Notes of the client, which are ignored. */
                        client_metadata?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How earlier parts of a long conversation are dropped. */
                        context_management?: {
                            [key: string]: unknown;
                        }[] | null;
                        /** @description Further data to return, such as `reasoning.encrypted_content`. */
                        include?: string[] | null;
                        /** @description The input. */
                        input: string | (({
                            /** @description The text, or the parts, of the message. */
                            content: string | (({
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "output_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The text with which the model refused. */
                                refusal: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description How closely an image is looked at. */
                                detail?: string | null;
                                /** @description The id of an uploaded file; files are not stored here. */
                                file_id?: string | null;
                                /** @description An image, as an https address or a data URL. */
                                image_url?: string | null;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The file as a data URL, base64 or an https address. */
                                file_data?: string | null;
                                /** @description The id of an uploaded file; files are not stored here. */
                                file_id?: string | null;
                                /** @description The https address of the file. */
                                file_url?: string | null;
                                /** @description The name of the file. */
                                filename?: string | null;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Audio of the prompt. */
                                input_audio: {
                                    /** @description The audio in base64. */
                                    data: string;
                                    /** @description The format of the audio, such as `wav`. */
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                             * @enum {string}
                             */
                            role: "user" | "assistant" | "system" | "developer";
                            /** @description The kind of entry. */
                            type?: "message" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The arguments of the call, as JSON text. */
                            arguments: string;
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /** @description The name. */
                            name: string;
                            /** @description The group of the tool. */
                            namespace?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /** @description The input. */
                            input: string;
                            /** @description The name. */
                            name: string;
                            /** @description The group of the tool. */
                            namespace?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom_tool_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom_tool_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The text, or the parts, of the message. */
                            content?: unknown[] | null;
                            /** @description Sealed reasoning, to be sent back unchanged. */
                            encrypted_content?: string | null;
                            /** @description The id. */
                            id?: string | null;
                            /** @description The summary of the reasoning. */
                            summary?: unknown[] | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "reasoning";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Sealed reasoning, to be sent back unchanged. */
                            encrypted_content: string;
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "compaction";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id. */
                            id?: string | null;
                            /** @description The tools that the model may call. */
                            tools: unknown[];
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "additional_tools";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id. */
                            id?: string | null;
                            /** @description The tools that the model may call. */
                            tools: unknown[];
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "tool_search_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[];
                        /** @description The system prompt. */
                        instructions?: string | null;
                        /** @description Most tokens the answer may have, reasoning included. */
                        max_output_tokens?: number | null;
                        /** @description Most calls of the provider's own tools. */
                        max_tool_calls?: number | null;
                        /** @description Notes of the caller, which are not stored here. */
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        /** @description Whether the model may call several tools at once. */
                        parallel_tool_calls?: boolean | null;
                        /** @description An earlier answer to continue; answers are not stored here. */
                        previous_response_id?: string | null;
                        /** @description Groups requests whose prompts begin alike. */
                        prompt_cache_key?: string | null;
                        /** @description How prompts are cached. */
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How long prompts are cached. */
                        prompt_cache_retention?: string | null;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How much the model thinks, and whether it sums that up. */
                        reasoning?: ({
                            /** @description How much the model thinks. */
                            effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                            /** @description The same as `summary` (deprecated). */
                            generate_summary?: string | null;
                            /** @description The mode. */
                            mode?: string | null;
                            /** @description The summary of the reasoning. */
                            summary?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description A stable id of your user, for the provider. */
                        safety_identifier?: string | null;
                        /** @description How fast the request is served, if the price card sells it. */
                        service_tier?: string | null;
                        /** @description Answers are never stored, and each says "store": false. */
                        store?: boolean | null;
                        /** @description true: an event stream. Otherwise JSON. */
                        stream?: boolean | null;
                        /** @description Options of streams. */
                        stream_options?: ({
                            /** @description Whether events are padded to hide their length. */
                            include_obfuscation?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Higher is more random. */
                        temperature?: number | null;
                        /** @description The form and length of the answer. */
                        text?: ({
                            /** @description The form of the output. */
                            format?: ({
                                /** @description The name. */
                                name?: string | null;
                                /** @description The JSON schema. */
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                /** @description Whether the answer follows the schema exactly. */
                                strict?: boolean | null;
                                /**
                                 * @description The kind of entry.
                                 * @enum {string}
                                 */
                                type: "text" | "json_object" | "json_schema";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description How long the answer is: `low`, `medium` or `high`. */
                            verbosity?: ("low" | "medium" | "high") | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Whether the model may, must or must not call tools. */
                        tool_choice?: (("none" | "auto" | "required") | ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        /** @description The tools that the model may call. */
                        tools?: (({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /** @description The JSON schema of the arguments. */
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            /** @description Whether the answer follows the schema exactly. */
                            strict?: boolean | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The form of the output. */
                            format?: ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /** @description The tools that the model may call. */
                            tools: unknown[];
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "namespace";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        /** @description How many alternatives of each token to return. */
                        top_logprobs?: number | null;
                        /** @description Samples only among the likeliest tokens that reach this share. */
                        top_p?: number | null;
                        /** @description What happens when the prompt is too long. */
                        truncation?: string | null;
                        /** @description A stable id of your user, for the provider. */
                        user?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Response"];
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/input_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Count the tokens of the input of a response */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Whether to answer later; not supported. */
                        background?: boolean | null;
                        /** @description Notes of the client, which are ignored. */
                        client_metadata?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How earlier parts of a long conversation are dropped. */
                        context_management?: {
                            [key: string]: unknown;
                        }[] | null;
                        /** @description Further data to return, such as `reasoning.encrypted_content`. */
                        include?: string[] | null;
                        /** @description The input. */
                        input: string | (({
                            /** @description The text, or the parts, of the message. */
                            content: string | (({
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "output_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The text with which the model refused. */
                                refusal: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description How closely an image is looked at. */
                                detail?: string | null;
                                /** @description The id of an uploaded file; files are not stored here. */
                                file_id?: string | null;
                                /** @description An image, as an https address or a data URL. */
                                image_url?: string | null;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The file as a data URL, base64 or an https address. */
                                file_data?: string | null;
                                /** @description The id of an uploaded file; files are not stored here. */
                                file_id?: string | null;
                                /** @description The https address of the file. */
                                file_url?: string | null;
                                /** @description The name of the file. */
                                filename?: string | null;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Audio of the prompt. */
                                input_audio: {
                                    /** @description The audio in base64. */
                                    data: string;
                                    /** @description The format of the audio, such as `wav`. */
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                             * @enum {string}
                             */
                            role: "user" | "assistant" | "system" | "developer";
                            /** @description The kind of entry. */
                            type?: "message" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The arguments of the call, as JSON text. */
                            arguments: string;
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /** @description The name. */
                            name: string;
                            /** @description The group of the tool. */
                            namespace?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /** @description The input. */
                            input: string;
                            /** @description The name. */
                            name: string;
                            /** @description The group of the tool. */
                            namespace?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom_tool_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom_tool_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The text, or the parts, of the message. */
                            content?: unknown[] | null;
                            /** @description Sealed reasoning, to be sent back unchanged. */
                            encrypted_content?: string | null;
                            /** @description The id. */
                            id?: string | null;
                            /** @description The summary of the reasoning. */
                            summary?: unknown[] | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "reasoning";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Sealed reasoning, to be sent back unchanged. */
                            encrypted_content: string;
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "compaction";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id. */
                            id?: string | null;
                            /** @description The tools that the model may call. */
                            tools: unknown[];
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "additional_tools";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id. */
                            id?: string | null;
                            /** @description The tools that the model may call. */
                            tools: unknown[];
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "tool_search_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[];
                        /** @description The system prompt. */
                        instructions?: string | null;
                        /** @description Most tokens the answer may have, reasoning included. */
                        max_output_tokens?: number | null;
                        /** @description Most calls of the provider's own tools. */
                        max_tool_calls?: number | null;
                        /** @description Notes of the caller, which are not stored here. */
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        /** @description Whether the model may call several tools at once. */
                        parallel_tool_calls?: boolean | null;
                        /** @description An earlier answer to continue; answers are not stored here. */
                        previous_response_id?: string | null;
                        /** @description Groups requests whose prompts begin alike. */
                        prompt_cache_key?: string | null;
                        /** @description How prompts are cached. */
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How long prompts are cached. */
                        prompt_cache_retention?: string | null;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Tokens of reasoning. */
                        reasoning?: ({
                            /** @description How much the model thinks. */
                            effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                            /** @description The same as `summary` (deprecated). */
                            generate_summary?: string | null;
                            /** @description The mode. */
                            mode?: string | null;
                            /** @description The summary of the reasoning. */
                            summary?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description A stable id of your user, for the provider. */
                        safety_identifier?: string | null;
                        /** @description How fast the request is served, if the price card sells it. */
                        service_tier?: string | null;
                        /** @description Answers are never stored, and each says "store": false. */
                        store?: boolean | null;
                        /** @description true: an event stream. Otherwise JSON. */
                        stream?: boolean | null;
                        /** @description Options of streams. */
                        stream_options?: ({
                            /** @description Whether events are padded to hide their length. */
                            include_obfuscation?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Higher is more random. */
                        temperature?: number | null;
                        /** @description The text. */
                        text?: ({
                            /** @description The form of the output. */
                            format?: ({
                                /** @description The name. */
                                name?: string | null;
                                /** @description The JSON schema. */
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                /** @description Whether the answer follows the schema exactly. */
                                strict?: boolean | null;
                                /**
                                 * @description The kind of entry.
                                 * @enum {string}
                                 */
                                type: "text" | "json_object" | "json_schema";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description How long the answer is: `low`, `medium` or `high`. */
                            verbosity?: ("low" | "medium" | "high") | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Whether the model may, must or must not call tools. */
                        tool_choice?: (("none" | "auto" | "required") | ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        /** @description The tools that the model may call. */
                        tools?: (({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /** @description The JSON schema of the arguments. */
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            /** @description Whether the answer follows the schema exactly. */
                            strict?: boolean | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The form of the output. */
                            format?: ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /** @description The tools that the model may call. */
                            tools: unknown[];
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "namespace";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        /** @description How many alternatives of each token to return. */
                        top_logprobs?: number | null;
                        /** @description Samples only among the likeliest tokens that reach this share. */
                        top_p?: number | null;
                        /** @description What happens when the prompt is too long. */
                        truncation?: string | null;
                        /** @description A stable id of your user, for the provider. */
                        user?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InputTokens"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Monthly statements: opening and closing balance of each wallet, and the movements between */
        get: {
            parameters: {
                query?: {
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["MonthlyStatement"][];
                            /** @description False: not all movements are summed yet. Retry to continue. */
                            is_whole: boolean;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/top-ups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's top-ups by card, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["TopUp"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Top up by card; the answer has the URL of the payment page */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The amount to pay, as a decimal string. */
                        amount: string;
                        /**
                         * @description The currency: USD or CNY.
                         * @enum {string}
                         */
                        currency: "USD" | "CNY";
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TopUp"];
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/top-ups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A top-up by card */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TopUp"];
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Usage and charges by day, model, key and channel, with totals */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description Only this channel. */
                    channel?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description The fields by which usage is added up. */
                    group_by?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description Only this model. */
                    model?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["UsageRow"][];
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            from: string;
                            /** @description The fields by which the rows are added up. */
                            group_by: ("day" | "model" | "key" | "channel")[];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            to: string;
                            /** @description One row a currency, over all pages. */
                            total: components["schemas"]["UsageRow"][];
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/models/{call}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Generate content as the Gemini API does */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description A model and a method, such as `MODEL:generateContent`. */
                    call: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The conversation so far. */
                        contents: Record<string, never>[];
                        /** @description Sampling, length and form of the answer. */
                        generationConfig?: Record<string, never>;
                        /** @description The system prompt. */
                        systemInstruction?: Record<string, never>;
                        /** @description Which tools the model may or must call. */
                        toolConfig?: Record<string, never>;
                        /** @description The tools that the model may call. */
                        tools?: Record<string, never>[];
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The answers. */
                            candidates?: unknown[];
                        };
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the google dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GoogleError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a chat completion */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The voice and format of spoken answers. */
                        audio?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Makes words less likely the more often they occurred, −2 to 2. */
                        frequency_penalty?: number | null;
                        /** @description Which function to call (deprecated: use `tool_choice`). */
                        function_call?: (string | ({
                            /** @description The name. */
                            name: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        /** @description The functions that may be called (deprecated: use `tools`). */
                        functions?: ({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The name. */
                            name: string;
                            /** @description The JSON schema of the arguments. */
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            /** @description Whether the answer follows the schema exactly. */
                            strict?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        })[] | null;
                        /** @description Makes tokens more or less likely, by token id. */
                        logit_bias?: {
                            [key: string]: number;
                        } | null;
                        /** @description Whether to return the probabilities of tokens. */
                        logprobs?: boolean | null;
                        /** @description Most tokens each choice may have, reasoning included. */
                        max_completion_tokens?: number | null;
                        /** @description Older name of `max_completion_tokens`, which wins over it. */
                        max_tokens?: number | null;
                        /** @description The conversation so far, oldest first. */
                        messages: ({
                            /** @description The text, or the parts, of the message. */
                            content?: (string | (({
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description An image, as an https address or a data URL. */
                                image_url: {
                                    /** @description An https address or a data URL. */
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "image_url";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description A file, such as a PDF. */
                                file: {
                                    /** @description The file as a data URL, base64 or an https address. */
                                    file_data?: string | null;
                                    /** @description The id of an uploaded file; files are not stored here. */
                                    file_id?: string | null;
                                    /** @description The name of the file. */
                                    filename?: string | null;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Audio of the prompt. */
                                input_audio: {
                                    /** @description The audio in base64. */
                                    data: string;
                                    /** @description The format of the audio, such as `wav`. */
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "video_url";
                                /** @description A video, as an https address or a data URL. */
                                video_url: {
                                    /** @description An https address or a data URL. */
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The text with which the model refused. */
                                refusal: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[]) | null;
                            /** @description The name of the participant. */
                            name?: string | null;
                            /**
                             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                             * @enum {string}
                             */
                            role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
                            /** @description The id of the call that this message answers. */
                            tool_call_id?: string | null;
                            /** @description The tools that the model calls. */
                            tool_calls?: ({
                                /** @description The function and its arguments. */
                                function?: ({
                                    /** @description The arguments of the call, as JSON text. */
                                    arguments: string;
                                    /** @description The name of the function. */
                                    name: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The id of the call, which its result names. */
                                id: string;
                                /** @description The kind of entry. */
                                type?: string | null;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Notes of the caller, which are not stored here. */
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        /** @description What the answer may contain: `text`, `audio`. */
                        modalities?: string[] | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        /** @description How strictly the provider filters. */
                        moderation?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How many answers to generate. Each is charged. */
                        n?: number | null;
                        /** @description Whether the model may call several tools at once. */
                        parallel_tool_calls?: boolean | null;
                        /** @description Text that the answer is expected to contain. */
                        prediction?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Makes words less likely that occurred before, −2 to 2. */
                        presence_penalty?: number | null;
                        /** @description Groups requests whose prompts begin alike. */
                        prompt_cache_key?: string | null;
                        /** @description How prompts are cached. */
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How long prompts are cached. */
                        prompt_cache_retention?: string | null;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How much the model thinks. */
                        reasoning_effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                        /** @description The form of the answer: text, JSON, or JSON of a schema. */
                        response_format?: ({
                            /** @description The schema that the answer follows. */
                            json_schema?: {
                                /** @description The name. */
                                name: string;
                                /** @description The JSON schema. */
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                /** @description Whether the answer follows the schema exactly. */
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @enum {string}
                             */
                            type: "text" | "json_object" | "json_schema";
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description A stable id of your user, for the provider. */
                        safety_identifier?: string | null;
                        /** @description Makes answers repeatable, as far as the provider can. */
                        seed?: number | null;
                        /** @description How fast the request is served, if the price card sells it. */
                        service_tier?: string | null;
                        /** @description Texts at which the answer ends. */
                        stop?: (string | string[]) | null;
                        /** @description Whether the provider stores the answer; nothing is stored here. */
                        store?: boolean | null;
                        /** @description true: an event stream. false or null: JSON. Omitted: a stream for callers that accept text/event-stream and for command-line tools, JSON for everyone else. */
                        stream?: boolean | null;
                        /** @description Options of streams. */
                        stream_options?: ({
                            /** @description Whether events are padded to hide their length. */
                            include_obfuscation?: boolean | null;
                            /** @description Whether the last event has the usage and the cost. */
                            include_usage?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Higher is more random. */
                        temperature?: number | null;
                        /** @description Whether the model may, must or must not call tools. */
                        tool_choice?: (("none" | "auto" | "required") | ({
                            /** @description The function and its arguments. */
                            function: {
                                /** @description The name of the function. */
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A tool that takes free text. */
                            custom: {
                                /** @description The name. */
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The tools among which the model may choose. */
                            allowed_tools: {
                                /**
                                 * @description The mode.
                                 * @enum {string}
                                 */
                                mode: "auto" | "required";
                                /** @description The tools that the model may call. */
                                tools: {
                                    [key: string]: unknown;
                                }[];
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "allowed_tools";
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        /** @description The tools that the model may call. */
                        tools?: (({
                            /** @description The function and its arguments. */
                            function: {
                                /** @description What the function does, for the model. */
                                description?: string | null;
                                /** @description The name of the function. */
                                name: string;
                                /** @description The JSON schema of the arguments. */
                                parameters?: {
                                    [key: string]: unknown;
                                } | null;
                                /** @description Whether the answer follows the schema exactly. */
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A tool that takes free text. */
                            custom: {
                                /** @description The name. */
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        /** @description How many alternatives of each token to return. */
                        top_logprobs?: number | null;
                        /** @description Samples only among the likeliest tokens that reach this share. */
                        top_p?: number | null;
                        /** @description A stable id of your user, for the provider. */
                        user?: string | null;
                        /** @description How long the answer is: `low`, `medium` or `high`. */
                        verbosity?: ("low" | "medium" | "high") | null;
                        /** @description How the model searches the web, if the price card sells it. */
                        web_search_options?: {
                            [key: string]: unknown;
                        } | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChatCompletion"];
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The wallets of the calling key's account */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Credits"];
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create embeddings */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description How many numbers; the model's own number when absent. */
                        dimensions?: number | null;
                        /** @description `float` (default), or `base64`: little-endian 32-bit floats. */
                        encoding_format?: ("float" | "base64") | null;
                        /** @description One text or several, or the same as tokens. */
                        input: string | string[] | number[] | number[][];
                        /** @description What the texts are, such as `query` or `document`, for models that ask. */
                        input_type?: string | null;
                        /** @description Id of an embedding model from the catalogue. */
                        model: string;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Your end user, for abuse detection. */
                        user?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Embeddings"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/generation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The record of one request with its itemized cost, by its x-request-id */
        get: {
            parameters: {
                query: {
                    /** @description The id. */
                    id: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Generation"];
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/images/edits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Edit images: a multipart form, or JSON with data URLs */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description `auto`, `opaque` or `transparent`, of models that list it under `backgrounds`. */
                        background?: string | null;
                        /** @description Another name of `images`. */
                        image?: (string | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            image_url: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            url: string;
                        } & {
                            [key: string]: unknown;
                        })) | (string | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            image_url: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            url: string;
                        } & {
                            [key: string]: unknown;
                        }))[];
                        /** @description The images to edit. */
                        images?: (string | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            image_url: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            url: string;
                        } & {
                            [key: string]: unknown;
                        }))[];
                        /** @description A PNG. Where it is transparent, the first image is edited. */
                        mask?: (string | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            image_url: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description A data URL, such as `data:image/png;base64,...`. */
                            url: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        /** @description Id of an image model, such as `img-3`. */
                        model: string;
                        /** @description `auto` or `low`, of models that list it under `moderations`. */
                        moderation?: string | null;
                        /** @description How many images; 1 when absent. `img-3` draws only 1. */
                        n?: number | null;
                        /** @description The quality of JPEG and WebP files, 0 to 100. */
                        output_compression?: number | null;
                        /** @description `png`, `jpeg` or `webp`, of models that list it under `output_formats`. */
                        output_format?: string | null;
                        /** @description How many partial images a stream has at most; 0 when absent. */
                        partial_images?: number | null;
                        /** @description What the image shows, in any language. */
                        prompt: string;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description `standard` (default) or `hd`; `img-3` only. */
                        quality?: string | null;
                        /** @description `url` (default): a temporary address. `b64_json` (default of edits): the file itself. */
                        response_format?: ("url" | "b64_json") | null;
                        /** @description `WIDTHxHEIGHT`; `1024x1024` when absent. */
                        size?: string | null;
                        /** @description true: server-sent events with base64, of models with `max_partial_images`. */
                        stream?: boolean | null;
                        /** @description `vivid` (default) or `natural`; `img-3` only. */
                        style?: string | null;
                        /** @description Your end user, for abuse detection. */
                        user?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                    "multipart/form-data": {
                        /** @description `auto`, `opaque` or `transparent`, of models that list it under `backgrounds`. */
                        background?: string | null;
                        /** @description The images to edit: PNG, JPEG or WebP. */
                        image: string | string[];
                        /**
                         * Format: binary
                         * @description A PNG. Where it is transparent, the first image is edited.
                         */
                        mask?: string;
                        /** @description Id of an image model, such as `img-3`. */
                        model: string;
                        /** @description `auto` or `low`, of models that list it under `moderations`. */
                        moderation?: string | null;
                        /** @description How many images; 1 when absent. `img-3` draws only 1. */
                        n?: number | null;
                        /** @description The quality of JPEG and WebP files, 0 to 100. */
                        output_compression?: number | null;
                        /** @description `png`, `jpeg` or `webp`, of models that list it under `output_formats`. */
                        output_format?: string | null;
                        /** @description How many partial images a stream has at most; 0 when absent. */
                        partial_images?: number | null;
                        /** @description What the image shows, in any language. */
                        prompt: string;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description `standard` (default) or `hd`; `img-3` only. */
                        quality?: string | null;
                        /** @description `url` (default): a temporary address. `b64_json` (default of edits): the file itself. */
                        response_format?: ("url" | "b64_json") | null;
                        /** @description `WIDTHxHEIGHT`; `1024x1024` when absent. */
                        size?: string | null;
                        /** @description true: server-sent events with base64, of models with `max_partial_images`. */
                        stream?: boolean | null;
                        /** @description `vivid` (default) or `natural`; `img-3` only. */
                        style?: string | null;
                        /** @description Your end user, for abuse detection. */
                        user?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Images"];
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/images/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Generate images */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description `auto`, `opaque` or `transparent`, of models that list it under `backgrounds`. */
                        background?: string | null;
                        /** @description Id of an image model, such as `img-3`. */
                        model: string;
                        /** @description `auto` or `low`, of models that list it under `moderations`. */
                        moderation?: string | null;
                        /** @description How many images; 1 when absent. `img-3` draws only 1. */
                        n?: number | null;
                        /** @description The quality of JPEG and WebP files, 0 to 100. */
                        output_compression?: number | null;
                        /** @description `png`, `jpeg` or `webp`, of models that list it under `output_formats`. */
                        output_format?: string | null;
                        /** @description How many partial images a stream has at most; 0 when absent. */
                        partial_images?: number | null;
                        /** @description What the image shows, in any language. */
                        prompt: string;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description `standard` (default) or `hd`; `img-3` only. */
                        quality?: string | null;
                        /** @description `url` (default): a temporary address. `b64_json` (default of edits): the file itself. */
                        response_format?: ("url" | "b64_json") | null;
                        /** @description `WIDTHxHEIGHT`; `1024x1024` when absent. */
                        size?: string | null;
                        /** @description true: server-sent events with base64, of models with `max_partial_images`. */
                        stream?: boolean | null;
                        /** @description `vivid` (default) or `natural`; `img-3` only. */
                        style?: string | null;
                        /** @description Your end user, for abuse detection. */
                        user?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Images"];
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The calling key with its limits and spending */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["OwnKey"];
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Movements of the account's wallets, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description Only movements of this kind. */
                    kind?: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Movement"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a message */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Marks the end of a part of the prompt that is cached. */
                        cache_control?: ({
                            /** @description How long it is cached: `5m` or `1h`. */
                            ttl?: ("5m" | "1h") | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description When to summarize a long conversation. */
                        compaction?: ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description The container in which code runs. */
                        container?: (string | {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How earlier parts of a long conversation are dropped. */
                        context_management?: ({
                            /** @description The edits of the context, in order. */
                            edits?: ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Diagnostic data of the client, which is ignored. */
                        diagnostics?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Where the request is served. */
                        inference_geo?: string | null;
                        /** @description The most tokens of an answer. */
                        max_tokens: number;
                        /** @description Servers of tools that the provider calls; not supported. */
                        mcp_servers?: {
                            [key: string]: unknown;
                        }[] | null;
                        /** @description The conversation so far, oldest first. */
                        messages: ({
                            /** @description The text, or the parts, of the message. */
                            content?: string | (({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description Where the data is: base64, an address or text. */
                                source: {
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description Context of the document, which is not cited. */
                                context?: string | null;
                                /** @description Where the data is: base64, an address or text. */
                                source: {
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @description The title of the document. */
                                title?: string | null;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "document";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The id of the call, which its result names. */
                                id: string;
                                /** @description The input. */
                                input: {
                                    [key: string]: unknown;
                                };
                                /** @description The name. */
                                name: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "tool_use";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description Whether the tool failed. */
                                is_error?: boolean | null;
                                /** @description The id of the call that this result answers. */
                                tool_use_id: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "tool_result";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The signature of the reasoning, to be sent back unchanged. */
                                signature: string;
                                /** @description The reasoning as text. */
                                thinking: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The opaque data, unchanged. */
                                data: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "redacted_thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            /** @description How much the model thinks, and the form of its answer. */
                            output_config?: ({
                                /** @description How much the model thinks. */
                                effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /**
                             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                             * @enum {string}
                             */
                            role: "user" | "assistant" | "system";
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Notes of the caller, which are not stored here. */
                        metadata?: ({
                            /** @description A stable id of your user, for the provider. */
                            user_id?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description The id of the model. */
                        model: string;
                        /** @description How much the model thinks, and the form of its answer. */
                        output_config?: ({
                            /** @description How much the model thinks. */
                            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            /** @description The form of the output. */
                            format?: ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The tokens for a whole task. */
                            task_budget?: ({
                                /** @description What is left. */
                                remaining?: number | null;
                                /** @description In all. */
                                total: number;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "tokens";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description The form of the answer (deprecated: use `output_config.format`). */
                        output_format?: ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How fast the request is served, if the price card sells it. */
                        service_tier?: string | null;
                        /** @description How fast the request is served, if the price card sells it. */
                        speed?: string | null;
                        /** @description Texts at which the answer ends. */
                        stop_sequences?: string[] | null;
                        /** @description Whether the answer is sent as events while it is generated. */
                        stream?: boolean | null;
                        /** @description The system prompt. */
                        system?: (string | (({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The text. */
                            text: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "text";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description Where the data is: base64, an address or text. */
                            source: {
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "image";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description Context of the document, which is not cited. */
                            context?: string | null;
                            /** @description Where the data is: base64, an address or text. */
                            source: {
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @description The title of the document. */
                            title?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "document";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The id. */
                            id: string;
                            /** @description The input. */
                            input: {
                                [key: string]: unknown;
                            };
                            /** @description The name. */
                            name: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "tool_use";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description Whether the tool failed. */
                            is_error?: boolean | null;
                            /** @description The id of the call that this result answers. */
                            tool_use_id: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "tool_result";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The signature of the reasoning, to be sent back unchanged. */
                            signature: string;
                            /** @description The reasoning as text. */
                            thinking: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The entries of the page. */
                            data: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "redacted_thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[]) | null;
                        /** @description Higher is more random. */
                        temperature?: number | null;
                        /** @description Whether and how the model thinks. */
                        thinking?: ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Whether the model may, must or must not call tools. */
                        tool_choice?: ({
                            /** @description Whether the model may call one tool at a time only. */
                            disable_parallel_tool_use?: boolean | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description The tools that the model may call. */
                        tools?: (({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The JSON schema of the arguments. */
                            input_schema: {
                                [key: string]: unknown;
                            };
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /** @description The kind of entry. */
                            type?: "custom" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        /** @description Samples only among this many tokens. */
                        top_k?: number | null;
                        /** @description Samples only among the likeliest tokens that reach this share. */
                        top_p?: number | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Message"];
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the anthropic dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnthropicError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/messages/count_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Count the tokens of a message */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Marks the end of a part of the prompt that is cached. */
                        cache_control?: ({
                            /** @description How long it is cached: `5m` or `1h`. */
                            ttl?: ("5m" | "1h") | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How earlier parts of a long conversation are dropped. */
                        context_management?: ({
                            /** @description The edits of the context, in order. */
                            edits?: ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Servers of tools that the provider calls; not supported. */
                        mcp_servers?: {
                            [key: string]: unknown;
                        }[] | null;
                        /** @description The conversation so far, oldest first. */
                        messages: ({
                            /** @description The text, or the parts, of the message. */
                            content?: string | (({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description Where the data is: base64, an address or text. */
                                source: {
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description Context of the document, which is not cited. */
                                context?: string | null;
                                /** @description Where the data is: base64, an address or text. */
                                source: {
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @description The title of the document. */
                                title?: string | null;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "document";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The id of the call, which its result names. */
                                id: string;
                                /** @description The input. */
                                input: {
                                    [key: string]: unknown;
                                };
                                /** @description The name. */
                                name: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "tool_use";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description Whether the tool failed. */
                                is_error?: boolean | null;
                                /** @description The id of the call that this result answers. */
                                tool_use_id: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "tool_result";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The signature of the reasoning, to be sent back unchanged. */
                                signature: string;
                                /** @description The reasoning as text. */
                                thinking: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The opaque data, unchanged. */
                                data: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "redacted_thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Marks the end of a part of the prompt that is cached. */
                                cache_control?: ({
                                    /** @description How long it is cached: `5m` or `1h`. */
                                    ttl?: ("5m" | "1h") | null;
                                    /** @description The kind of entry. */
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            /** @description How much the model thinks, and the form of its answer. */
                            output_config?: ({
                                /** @description How much the model thinks. */
                                effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /**
                             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                             * @enum {string}
                             */
                            role: "user" | "assistant" | "system";
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description The id of the model. */
                        model: string;
                        /** @description How much the model thinks, and the form of its answer. */
                        output_config?: ({
                            /** @description How much the model thinks. */
                            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            /** @description The form of the output. */
                            format?: ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The tokens for a whole task. */
                            task_budget?: ({
                                /** @description What is left. */
                                remaining?: number | null;
                                /** @description In all. */
                                total: number;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "tokens";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description The system prompt. */
                        system?: (string | (({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The text. */
                            text: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "text";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description Where the data is: base64, an address or text. */
                            source: {
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "image";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description Context of the document, which is not cited. */
                            context?: string | null;
                            /** @description Where the data is: base64, an address or text. */
                            source: {
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @description The title of the document. */
                            title?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "document";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The id. */
                            id: string;
                            /** @description The input. */
                            input: {
                                [key: string]: unknown;
                            };
                            /** @description The name. */
                            name: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "tool_use";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description Whether the tool failed. */
                            is_error?: boolean | null;
                            /** @description The id of the call that this result answers. */
                            tool_use_id: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "tool_result";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The signature of the reasoning, to be sent back unchanged. */
                            signature: string;
                            /** @description The reasoning as text. */
                            thinking: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The entries of the page. */
                            data: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "redacted_thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[]) | null;
                        /** @description Whether and how the model thinks. */
                        thinking?: ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Whether the model may, must or must not call tools. */
                        tool_choice?: ({
                            /** @description Whether the model may call one tool at a time only. */
                            disable_parallel_tool_use?: boolean | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description The tools that the model may call. */
                        tools?: (({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The JSON schema of the arguments. */
                            input_schema: {
                                [key: string]: unknown;
                            };
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /** @description The kind of entry. */
                            type?: "custom" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Marks the end of a part of the prompt that is cached. */
                            cache_control?: ({
                                /** @description How long it is cached: `5m` or `1h`. */
                                ttl?: ("5m" | "1h") | null;
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TokenCount"];
                    };
                };
                /** @description An error body in the anthropic dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnthropicError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the models with their channels and prices */
        get: {
            parameters: {
                query?: {
                    /** @description The id after which the page begins. */
                    after_id?: string;
                    /** @description The id before which the page ends. */
                    before_id?: string;
                    client_version?: string;
                    /** @description Only models in these stages. */
                    lifecycle?: ("active" | "deprecated" | "retired")[];
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Model"][];
                            /** @description The id of the first entry; null: none. */
                            first_id: string | null;
                            /** @description Whether more entries follow. */
                            has_more: boolean;
                            /** @description The id of the last entry; null: none. */
                            last_id: string | null;
                            /** @description For Codex, which asks with `client_version`. */
                            models?: ({
                                /** @description The instructions that Codex gives this model. */
                                base_instructions: string;
                                /** @description The id of the model. */
                                slug: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                            /** @constant */
                            object: "list";
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One model */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Model"];
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeem a code for credit in the account's wallet */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The redeem code. */
                        code: string;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Redeemed"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Redeemed"];
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests that ended with an error before anything was charged, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    code?: string;
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    id?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description Only this model. */
                    model?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Of a flood, only a sample is listed. */
                            data: components["schemas"]["Refusal"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/refusals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One request that was refused */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["Refusal"];
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/refusals/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many requests were refused, by day and error code */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["RefusalCount"][];
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            from: string;
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            to: string;
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's requests, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description Only this channel. */
                    channel?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    id?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description Only requests that cost at least this much. */
                    min_cost?: string;
                    /** @description Only this model. */
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["RequestRecord"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One request, with its cost line by line */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["RequestDetails"];
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/requests/histogram": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Number of requests over time, and how many failed */
        get: {
            parameters: {
                query?: {
                    /** @description Only this channel. */
                    channel?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    id?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description Only requests that cost at least this much. */
                    min_cost?: string;
                    /** @description Only this model. */
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
                    time_zone?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RequestHistogram"];
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a response */
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Whether to answer later; not supported. */
                        background?: boolean | null;
                        /** @description Notes of the client, which are ignored. */
                        client_metadata?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How earlier parts of a long conversation are dropped. */
                        context_management?: {
                            [key: string]: unknown;
                        }[] | null;
                        /** @description Further data to return, such as `reasoning.encrypted_content`. */
                        include?: string[] | null;
                        /** @description The input. */
                        input: string | (({
                            /** @description The text, or the parts, of the message. */
                            content: string | (({
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "output_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The text with which the model refused. */
                                refusal: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description How closely an image is looked at. */
                                detail?: string | null;
                                /** @description The id of an uploaded file; files are not stored here. */
                                file_id?: string | null;
                                /** @description An image, as an https address or a data URL. */
                                image_url?: string | null;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The file as a data URL, base64 or an https address. */
                                file_data?: string | null;
                                /** @description The id of an uploaded file; files are not stored here. */
                                file_id?: string | null;
                                /** @description The https address of the file. */
                                file_url?: string | null;
                                /** @description The name of the file. */
                                filename?: string | null;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Audio of the prompt. */
                                input_audio: {
                                    /** @description The audio in base64. */
                                    data: string;
                                    /** @description The format of the audio, such as `wav`. */
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                             * @enum {string}
                             */
                            role: "user" | "assistant" | "system" | "developer";
                            /** @description The kind of entry. */
                            type?: "message" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The arguments of the call, as JSON text. */
                            arguments: string;
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /** @description The name. */
                            name: string;
                            /** @description The group of the tool. */
                            namespace?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /** @description The input. */
                            input: string;
                            /** @description The name. */
                            name: string;
                            /** @description The group of the tool. */
                            namespace?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom_tool_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom_tool_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The text, or the parts, of the message. */
                            content?: unknown[] | null;
                            /** @description Sealed reasoning, to be sent back unchanged. */
                            encrypted_content?: string | null;
                            /** @description The id. */
                            id?: string | null;
                            /** @description The summary of the reasoning. */
                            summary?: unknown[] | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "reasoning";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Sealed reasoning, to be sent back unchanged. */
                            encrypted_content: string;
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "compaction";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id. */
                            id?: string | null;
                            /** @description The tools that the model may call. */
                            tools: unknown[];
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "additional_tools";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id. */
                            id?: string | null;
                            /** @description The tools that the model may call. */
                            tools: unknown[];
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "tool_search_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[];
                        /** @description The system prompt. */
                        instructions?: string | null;
                        /** @description Most tokens the answer may have, reasoning included. */
                        max_output_tokens?: number | null;
                        /** @description Most calls of the provider's own tools. */
                        max_tool_calls?: number | null;
                        /** @description Notes of the caller, which are not stored here. */
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        /** @description Whether the model may call several tools at once. */
                        parallel_tool_calls?: boolean | null;
                        /** @description An earlier answer to continue; answers are not stored here. */
                        previous_response_id?: string | null;
                        /** @description Groups requests whose prompts begin alike. */
                        prompt_cache_key?: string | null;
                        /** @description How prompts are cached. */
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How long prompts are cached. */
                        prompt_cache_retention?: string | null;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description How much the model thinks, and whether it sums that up. */
                        reasoning?: ({
                            /** @description How much the model thinks. */
                            effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                            /** @description The same as `summary` (deprecated). */
                            generate_summary?: string | null;
                            /** @description The mode. */
                            mode?: string | null;
                            /** @description The summary of the reasoning. */
                            summary?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description A stable id of your user, for the provider. */
                        safety_identifier?: string | null;
                        /** @description How fast the request is served, if the price card sells it. */
                        service_tier?: string | null;
                        /** @description Answers are never stored, and each says "store": false. */
                        store?: boolean | null;
                        /** @description true: an event stream. Otherwise JSON. */
                        stream?: boolean | null;
                        /** @description Options of streams. */
                        stream_options?: ({
                            /** @description Whether events are padded to hide their length. */
                            include_obfuscation?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Higher is more random. */
                        temperature?: number | null;
                        /** @description The form and length of the answer. */
                        text?: ({
                            /** @description The form of the output. */
                            format?: ({
                                /** @description The name. */
                                name?: string | null;
                                /** @description The JSON schema. */
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                /** @description Whether the answer follows the schema exactly. */
                                strict?: boolean | null;
                                /**
                                 * @description The kind of entry.
                                 * @enum {string}
                                 */
                                type: "text" | "json_object" | "json_schema";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description How long the answer is: `low`, `medium` or `high`. */
                            verbosity?: ("low" | "medium" | "high") | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Whether the model may, must or must not call tools. */
                        tool_choice?: (("none" | "auto" | "required") | ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        /** @description The tools that the model may call. */
                        tools?: (({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /** @description The JSON schema of the arguments. */
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            /** @description Whether the answer follows the schema exactly. */
                            strict?: boolean | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The form of the output. */
                            format?: ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /** @description The tools that the model may call. */
                            tools: unknown[];
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "namespace";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        /** @description How many alternatives of each token to return. */
                        top_logprobs?: number | null;
                        /** @description Samples only among the likeliest tokens that reach this share. */
                        top_p?: number | null;
                        /** @description What happens when the prompt is too long. */
                        truncation?: string | null;
                        /** @description A stable id of your user, for the provider. */
                        user?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "idempotency-replayed": components["headers"]["idempotency-replayed"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-original-request-id": components["headers"]["x-original-request-id"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Response"];
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/responses/input_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Count the tokens of the input of a response */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Whether to answer later; not supported. */
                        background?: boolean | null;
                        /** @description Notes of the client, which are ignored. */
                        client_metadata?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How earlier parts of a long conversation are dropped. */
                        context_management?: {
                            [key: string]: unknown;
                        }[] | null;
                        /** @description Further data to return, such as `reasoning.encrypted_content`. */
                        include?: string[] | null;
                        /** @description The input. */
                        input: string | (({
                            /** @description The text, or the parts, of the message. */
                            content: string | (({
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The text. */
                                text: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "output_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The text with which the model refused. */
                                refusal: string;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description How closely an image is looked at. */
                                detail?: string | null;
                                /** @description The id of an uploaded file; files are not stored here. */
                                file_id?: string | null;
                                /** @description An image, as an https address or a data URL. */
                                image_url?: string | null;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The file as a data URL, base64 or an https address. */
                                file_data?: string | null;
                                /** @description The id of an uploaded file; files are not stored here. */
                                file_id?: string | null;
                                /** @description The https address of the file. */
                                file_url?: string | null;
                                /** @description The name of the file. */
                                filename?: string | null;
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description Audio of the prompt. */
                                input_audio: {
                                    /** @description The audio in base64. */
                                    data: string;
                                    /** @description The format of the audio, such as `wav`. */
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /**
                                 * @description The kind of entry.
                                 * @constant
                                 */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                             * @enum {string}
                             */
                            role: "user" | "assistant" | "system" | "developer";
                            /** @description The kind of entry. */
                            type?: "message" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The arguments of the call, as JSON text. */
                            arguments: string;
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /** @description The name. */
                            name: string;
                            /** @description The group of the tool. */
                            namespace?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /** @description The input. */
                            input: string;
                            /** @description The name. */
                            name: string;
                            /** @description The group of the tool. */
                            namespace?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom_tool_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id of the tool call that this belongs to. */
                            call_id: string;
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom_tool_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The text, or the parts, of the message. */
                            content?: unknown[] | null;
                            /** @description Sealed reasoning, to be sent back unchanged. */
                            encrypted_content?: string | null;
                            /** @description The id. */
                            id?: string | null;
                            /** @description The summary of the reasoning. */
                            summary?: unknown[] | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "reasoning";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description Sealed reasoning, to be sent back unchanged. */
                            encrypted_content: string;
                            /** @description The id. */
                            id?: string | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "compaction";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id. */
                            id?: string | null;
                            /** @description The tools that the model may call. */
                            tools: unknown[];
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "additional_tools";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The id. */
                            id?: string | null;
                            /** @description The tools that the model may call. */
                            tools: unknown[];
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "tool_search_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[];
                        /** @description The system prompt. */
                        instructions?: string | null;
                        /** @description Most tokens the answer may have, reasoning included. */
                        max_output_tokens?: number | null;
                        /** @description Most calls of the provider's own tools. */
                        max_tool_calls?: number | null;
                        /** @description Notes of the caller, which are not stored here. */
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        /** @description Whether the model may call several tools at once. */
                        parallel_tool_calls?: boolean | null;
                        /** @description An earlier answer to continue; answers are not stored here. */
                        previous_response_id?: string | null;
                        /** @description Groups requests whose prompts begin alike. */
                        prompt_cache_key?: string | null;
                        /** @description How prompts are cached. */
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description How long prompts are cached. */
                        prompt_cache_retention?: string | null;
                        /** @description How the request is routed, such as `{"channel": "economical"}`. */
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Tokens of reasoning. */
                        reasoning?: ({
                            /** @description How much the model thinks. */
                            effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                            /** @description The same as `summary` (deprecated). */
                            generate_summary?: string | null;
                            /** @description The mode. */
                            mode?: string | null;
                            /** @description The summary of the reasoning. */
                            summary?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description A stable id of your user, for the provider. */
                        safety_identifier?: string | null;
                        /** @description How fast the request is served, if the price card sells it. */
                        service_tier?: string | null;
                        /** @description Answers are never stored, and each says "store": false. */
                        store?: boolean | null;
                        /** @description true: an event stream. Otherwise JSON. */
                        stream?: boolean | null;
                        /** @description Options of streams. */
                        stream_options?: ({
                            /** @description Whether events are padded to hide their length. */
                            include_obfuscation?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Higher is more random. */
                        temperature?: number | null;
                        /** @description The text. */
                        text?: ({
                            /** @description The form of the output. */
                            format?: ({
                                /** @description The name. */
                                name?: string | null;
                                /** @description The JSON schema. */
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                /** @description Whether the answer follows the schema exactly. */
                                strict?: boolean | null;
                                /**
                                 * @description The kind of entry.
                                 * @enum {string}
                                 */
                                type: "text" | "json_object" | "json_schema";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description How long the answer is: `low`, `medium` or `high`. */
                            verbosity?: ("low" | "medium" | "high") | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Whether the model may, must or must not call tools. */
                        tool_choice?: (("none" | "auto" | "required") | ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        /** @description The tools that the model may call. */
                        tools?: (({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /** @description The JSON schema of the arguments. */
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            /** @description Whether the answer follows the schema exactly. */
                            strict?: boolean | null;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The form of the output. */
                            format?: ({
                                /** @description The kind of entry. */
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description What the function does, for the model. */
                            description?: string | null;
                            /** @description The name by which the model calls the tool. */
                            name: string;
                            /** @description The tools that the model may call. */
                            tools: unknown[];
                            /**
                             * @description The kind of entry.
                             * @constant
                             */
                            type: "namespace";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @description The kind of entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        /** @description How many alternatives of each token to return. */
                        top_logprobs?: number | null;
                        /** @description Samples only among the likeliest tokens that reach this share. */
                        top_p?: number | null;
                        /** @description What happens when the prompt is too long. */
                        truncation?: string | null;
                        /** @description A stable id of your user, for the provider. */
                        user?: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InputTokens"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        "anthropic-ratelimit-requests-limit": components["headers"]["anthropic-ratelimit-requests-limit"];
                        "anthropic-ratelimit-requests-remaining": components["headers"]["anthropic-ratelimit-requests-remaining"];
                        "anthropic-ratelimit-requests-reset": components["headers"]["anthropic-ratelimit-requests-reset"];
                        "anthropic-ratelimit-tokens-limit": components["headers"]["anthropic-ratelimit-tokens-limit"];
                        "anthropic-ratelimit-tokens-remaining": components["headers"]["anthropic-ratelimit-tokens-remaining"];
                        "anthropic-ratelimit-tokens-reset": components["headers"]["anthropic-ratelimit-tokens-reset"];
                        "request-id": components["headers"]["request-id"];
                        "retry-after": components["headers"]["retry-after"];
                        "x-attempts": components["headers"]["x-attempts"];
                        "x-channel": components["headers"]["x-channel"];
                        "x-channel-requested": components["headers"]["x-channel-requested"];
                        "x-cost": components["headers"]["x-cost"];
                        "x-estimated": components["headers"]["x-estimated"];
                        "x-ignored-fields": components["headers"]["x-ignored-fields"];
                        "x-image-expires": components["headers"]["x-image-expires"];
                        "x-max-output-tokens": components["headers"]["x-max-output-tokens"];
                        "x-price-card": components["headers"]["x-price-card"];
                        "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                        "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                        "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                        "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                        "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                        "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                        "x-request-id": components["headers"]["x-request-id"];
                        "x-should-retry": components["headers"]["x-should-retry"];
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Monthly statements: opening and closing balance of each wallet, and the movements between */
        get: {
            parameters: {
                query?: {
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["MonthlyStatement"][];
                            /** @description False: not all movements are summed yet. Retry to continue. */
                            is_whole: boolean;
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/top-ups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's top-ups by card, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["TopUp"][];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Top up by card; the answer has the URL of the payment page */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The amount to pay, as a decimal string. */
                        amount: string;
                        /**
                         * @description The currency: USD or CNY.
                         * @enum {string}
                         */
                        currency: "USD" | "CNY";
                    };
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TopUp"];
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/top-ups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A top-up by card */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TopUp"];
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Usage and charges by day, model, key and channel, with totals */
        get: {
            parameters: {
                query?: {
                    /** @description The cursor `next` of the page before. */
                    after?: string;
                    /** @description Only this channel. */
                    channel?: string;
                    /** @description Only this currency. */
                    currency?: "USD" | "CNY";
                    /** @description `json`, `csv`, or `jsonl` (one JSON object a line). */
                    format?: "json" | "csv" | "jsonl";
                    /** @description The start of the period, inclusive. */
                    from?: string;
                    /** @description The fields by which usage is added up. */
                    group_by?: string;
                    /** @description Only this API key. */
                    key_id?: string;
                    /** @description The most entries of a page. */
                    limit?: number;
                    /** @description Only this model. */
                    model?: string;
                    /** @description The end of the period, exclusive. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The entries of the page. */
                            data: components["schemas"]["UsageRow"][];
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            from: string;
                            /** @description The fields by which the rows are added up. */
                            group_by: ("day" | "model" | "key" | "channel")[];
                            /** @description The cursor of the next page, for `after`; null: this is the last page. */
                            next: string | null;
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            to: string;
                            /** @description One row a currency, over all pages. */
                            total: components["schemas"]["UsageRow"][];
                        };
                        "application/jsonl": unknown;
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signed events of the payment provider */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            received: true;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenAiError"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Account: {
            /** @description Whether the USD wallet pays for requests in CNY that the CNY wallet cannot. */
            allow_exchange: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /**
             * @description Changes with the settings. Send it in `If-Match` to change only what you read.
             * @example "mZ3vUq1kq4qXk0pYb2tQxA"
             */
            etag: string;
            /** @description When the key expires; null: never. */
            expires_at: string | null;
            /** @description The id. */
            id: string;
            limits: components["schemas"]["Limits"];
            /** @description The name. */
            name: string;
            /** @description What was or may be spent, by period. */
            spend: components["schemas"]["Spend"];
            /**
             * @description The state.
             * @enum {string}
             */
            status: "active" | "suspended";
        };
        AccountEntry: {
            /** @description Whether the USD wallet pays for requests in CNY that the CNY wallet cannot. */
            allow_exchange: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /**
             * @description Changes with the settings. Send it in `If-Match` to change only what you read.
             * @example "mZ3vUq1kq4qXk0pYb2tQxA"
             */
            etag: string;
            /** @description When the key expires; null: never. */
            expires_at: string | null;
            /** @description The id. */
            id: string;
            /** @description How many of its keys are not revoked. */
            keys: number;
            limits: components["schemas"]["Limits"];
            /** @description The name. */
            name: string;
            /** @description What was or may be spent, by period. */
            spend: components["schemas"]["Spend"];
            /**
             * @description The state.
             * @enum {string}
             */
            status: "active" | "suspended";
            /** @description The wallets of the account, one for each currency. */
            wallets: components["schemas"]["Wallet"][];
        };
        AccountWithWallets: {
            /** @description Whether the USD wallet pays for requests in CNY that the CNY wallet cannot. */
            allow_exchange: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /**
             * @description Changes with the settings. Send it in `If-Match` to change only what you read.
             * @example "mZ3vUq1kq4qXk0pYb2tQxA"
             */
            etag: string;
            /** @description When the key expires; null: never. */
            expires_at: string | null;
            /** @description The id. */
            id: string;
            limits: components["schemas"]["Limits"];
            /** @description The name. */
            name: string;
            /** @description What was or may be spent, by period. */
            spend: components["schemas"]["Spend"];
            /**
             * @description The state.
             * @enum {string}
             */
            status: "active" | "suspended";
            /** @description The wallets of the account, one for each currency. */
            wallets: components["schemas"]["Wallet"][];
        };
        Adjustment: {
            /** @description The account that pays. */
            account_id: string;
            /** @description Booked by an earlier request with this id, and not again. */
            already_applied: boolean;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /**
             * @description What the wallet can afford now.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description The id. */
            id: string;
            /**
             * @description The kind.
             * @constant
             */
            kind: "adjust";
        };
        AdminNotice: {
            /** @description What is affected. Empty: everything. */
            affects: components["schemas"]["AffectedByNotice"][];
            /** @description When it ended, or will end; null: open. */
            ends_at: string | null;
            /**
             * @description Changes with the settings. Send it in `If-Match` to change only what you read.
             * @example "mZ3vUq1kq4qXk0pYb2tQxA"
             */
            etag: string;
            /** @description The id of the notice. */
            id: string;
            /**
             * @description An incident, or planned maintenance.
             * @enum {string}
             */
            kind: "incident" | "maintenance";
            /**
             * Format: date-time
             * @description When it began, or will begin.
             */
            starts_at: string;
            /**
             * @description investigating, identified, monitoring and resolved: of an incident. The others: of maintenance; canceled is ended before its start.
             * @enum {string}
             */
            state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | "canceled";
            /** @description Plain text. */
            title: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
            /** @description What was written, latest first. */
            updates: components["schemas"]["NoticeUpdate"][];
        };
        AdminRefusal: {
            /** @description The account that pays. */
            account_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /** @description The code of the error. */
            code: string;
            /** @description The endpoint that was called. */
            endpoint: ("chat" | "messages" | "responses" | "images" | "embeddings" | "count_tokens") | string;
            /** @description The id. */
            id: string;
            /** @description The API key. */
            key_id: string;
            /** @description What the caller was answered, without the prompt. */
            message: string;
            /** @description Null if the body could not be read. */
            model: string | null;
            /** @description The HTTP status of the answer. */
            status: number;
        };
        AdminRefusalDetails: {
            /** @description The account that pays. */
            account_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /** @description The code of the error. */
            code: string;
            /** @description The endpoint that was called. */
            endpoint: ("chat" | "messages" | "responses" | "images" | "embeddings" | "count_tokens") | string;
            /** @description The id. */
            id: string;
            /** @description The API key. */
            key_id: string;
            /** @description What the caller was answered, without the prompt. */
            message: string;
            /** @description Null if the body could not be read. */
            model: string | null;
            /** @description What providers answered to failed attempts. Callers never see it. */
            provider_errors: components["schemas"]["ProviderError"][];
            /** @description The HTTP status of the answer. */
            status: number;
        };
        AdminRequestDetails: {
            /** @description The account that pays. */
            account_id: string;
            /**
             * Format: date-time
             * @description When it was settled.
             */
            at: string;
            attempts: components["schemas"]["Attempt"][];
            /** @description Tokens of audio in the prompt. */
            audio_input_tokens: number;
            /** @description Tokens of audio in the answer. */
            audio_output_tokens: number;
            /** @description Tokens read from the prompt cache. */
            cache_read_tokens: number;
            /** @description Tokens written to the prompt cache for one hour. */
            cache_write_1h_tokens: number;
            /** @description Tokens written to the prompt cache for five minutes. */
            cache_write_5m_tokens: number;
            /**
             * @description The channel that served the request.
             * @example direct
             * @example stable
             * @example economical
             */
            channel: string;
            /** @description The channel that the request named; null: none. */
            channel_requested: string | null;
            /**
             * @description The charge.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /** @description How the cost was calculated, line by line. */
            cost_details: components["schemas"]["CostDetails"];
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description Milliseconds from acceptance to the last byte. */
            duration_ms: number;
            /**
             * @description The endpoint that was called.
             * @enum {string}
             */
            endpoint: "chat" | "messages" | "responses" | "images" | "embeddings";
            /** @description What went wrong, as a stable code; null: nothing. */
            error_code: string | null;
            /** @description The gateway estimated the counts, since the provider reported none. */
            estimated: boolean;
            /** @description Why the answer ended. */
            finish_reason: string | null;
            /** @description Milliseconds to the first byte of the answer; null: none came. */
            first_byte_ms: number | null;
            /** @description The id of the exchange rate; null: no exchange. */
            fx_rate: string | null;
            /** @description The id. */
            id: string;
            /** @description Tokens of images in the prompt. */
            image_input_tokens: number;
            /** @description Tokens of images in the answer. */
            image_output_tokens: number;
            /** @description The price of one image; null: not charged by the image. */
            image_price: string | null;
            /** @description The number of images. */
            images: number;
            /** @description Tokens of the prompt. */
            input_tokens: number;
            /** @description The API key. */
            key_id: string;
            /**
             * @description The part of the price that the wallet could not pay.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            margin: string | null;
            /** @description How the tokens are known: reported by the provider, read on to its report after the client disconnected, or estimated by the text or by the time of generation. Null for images. */
            measure: ("reported" | "read_on" | "estimated" | "estimated_by_time") | null;
            /** @description The id of the model. */
            model: string;
            operator_cost: string | null;
            /**
             * @description How the request ended.
             * @enum {string}
             */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            /** @description Tokens of the answer. */
            output_tokens: number;
            /** @description The id of the price card. */
            price_card: string;
            /** @description What providers answered to failed attempts. Callers never see it. */
            provider_errors: components["schemas"]["ProviderError"][];
            /** @description Tokens of reasoning. */
            reasoning_tokens: number;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            refunded: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            started_at: string;
            /** @description Whether the answer was sent as events. */
            streamed: boolean;
            upstream: string;
            upstream_model: string;
        };
        AdminRequestRecord: {
            /** @description The account that pays. */
            account_id: string;
            /**
             * Format: date-time
             * @description When it was settled.
             */
            at: string;
            attempts: components["schemas"]["Attempt"][];
            /** @description Tokens of audio in the prompt. */
            audio_input_tokens: number;
            /** @description Tokens of audio in the answer. */
            audio_output_tokens: number;
            /** @description Tokens read from the prompt cache. */
            cache_read_tokens: number;
            /** @description Tokens written to the prompt cache for one hour. */
            cache_write_1h_tokens: number;
            /** @description Tokens written to the prompt cache for five minutes. */
            cache_write_5m_tokens: number;
            /**
             * @description The channel that served the request.
             * @example direct
             * @example stable
             * @example economical
             */
            channel: string;
            /** @description The channel that the request named; null: none. */
            channel_requested: string | null;
            /**
             * @description The charge.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description Milliseconds from acceptance to the last byte. */
            duration_ms: number;
            /**
             * @description The endpoint that was called.
             * @enum {string}
             */
            endpoint: "chat" | "messages" | "responses" | "images" | "embeddings";
            /** @description What went wrong, as a stable code; null: nothing. */
            error_code: string | null;
            /** @description The gateway estimated the counts, since the provider reported none. */
            estimated: boolean;
            /** @description Why the answer ended. */
            finish_reason: string | null;
            /** @description Milliseconds to the first byte of the answer; null: none came. */
            first_byte_ms: number | null;
            /** @description The id of the exchange rate; null: no exchange. */
            fx_rate: string | null;
            /** @description The id. */
            id: string;
            /** @description Tokens of images in the prompt. */
            image_input_tokens: number;
            /** @description Tokens of images in the answer. */
            image_output_tokens: number;
            /** @description The price of one image; null: not charged by the image. */
            image_price: string | null;
            /** @description The number of images. */
            images: number;
            /** @description Tokens of the prompt. */
            input_tokens: number;
            /** @description The API key. */
            key_id: string;
            /**
             * @description The part of the price that the wallet could not pay.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            /** @description How the tokens are known: reported by the provider, read on to its report after the client disconnected, or estimated by the text or by the time of generation. Null for images. */
            measure: ("reported" | "read_on" | "estimated" | "estimated_by_time") | null;
            /** @description The id of the model. */
            model: string;
            /**
             * @description How the request ended.
             * @enum {string}
             */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            /** @description Tokens of the answer. */
            output_tokens: number;
            /** @description The id of the price card. */
            price_card: string;
            /** @description Tokens of reasoning. */
            reasoning_tokens: number;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            refunded: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            started_at: string;
            /** @description Whether the answer was sent as events. */
            streamed: boolean;
            upstream: string;
            upstream_model: string;
        };
        AdminUsageRow: {
            /** @description The account that pays. */
            account_id: string | null;
            /** @description Tokens of audio in the prompt. */
            audio_input_tokens: number;
            /** @description Tokens of audio in the answer. */
            audio_output_tokens: number;
            /** @description Tokens read from the prompt cache. */
            cache_read_tokens: number;
            /** @description Tokens written to the prompt cache for one hour. */
            cache_write_1h_tokens: number;
            /** @description Tokens written to the prompt cache for five minutes. */
            cache_write_5m_tokens: number;
            /** @description The channel that served the request. */
            channel: string | null;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            charge: string;
            /**
             * @description The charge, converted at each request's own rate.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost_usd: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description In one day (UTC). */
            day: string | null;
            /** @description Tokens of images in the prompt. */
            image_input_tokens: number;
            /** @description Tokens of images in the answer. */
            image_output_tokens: number;
            /** @description The number of images. */
            images: number;
            /** @description Requests that did not complete. */
            incomplete: number;
            /** @description Tokens of the prompt. */
            input_tokens: number;
            /** @description The API key. */
            key_id: string | null;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            /** @description The id of the model. */
            model: string | null;
            /** @description Tokens of the answer. */
            output_tokens: number;
            /** @description Tokens of reasoning. */
            reasoning_tokens: number;
            /** @description The number of requests. */
            requests: number;
        };
        AffectedByNotice: {
            /** @description null: all channels. */
            channel: ("direct" | "stable" | "economical") | null;
            /** @description The id of the model; null: all models. */
            model: string | null;
            /** @description The name of the model; null: all models, or one that is no longer sold. */
            name: string | null;
        };
        /** @description Null: the configured threshold applies. */
        AlertThresholds: {
            CNY: string | null;
            /**
             * @description Changes with the settings. Send it in `If-Match` to change only what you read.
             * @example "mZ3vUq1kq4qXk0pYb2tQxA"
             */
            etag: string;
            /** @description The threshold in force; null: no alerts. */
            in_force: {
                CNY: string | null;
                USD: string | null;
            };
            USD: string | null;
        };
        AnthropicError: {
            /** @description What went wrong. */
            error: {
                /** @description More about the error. */
                details: {
                    error_code: components["schemas"]["ErrorCode"];
                };
                /** @description What is wrong, where, and what to do. */
                message: string;
                /** @description The field that is wrong; null: none. */
                param?: string;
                /** @description The kind of entry. */
                type: string;
            };
            /** @description The id of the request, as in the header `x-request-id`. */
            request_id?: string;
            /**
             * @description The kind of entry.
             * @constant
             */
            type?: "error";
        };
        Attempt: {
            /** @description The channel that served the request. */
            channel: string;
            /** @description Until the status line or the failure. */
            duration_ms: number;
            /** @description The id of the model. */
            model: string;
            /** @description The HTTP status, or the code of the failure. */
            result: string;
            /** @description Since admission of the request. */
            start_ms: number;
            upstream: string;
        };
        /**
         * @description More may be added.
         * @enum {string}
         */
        AuditAction: "account.alert" | "account.create" | "account.limit" | "account.restore" | "account.suspend" | "account.update" | "backup.create" | "card.publish" | "config.change" | "invitation.create" | "invitation.take_back" | "key.create" | "key.disable" | "key.enable" | "key.limit" | "key.revoke" | "key.rotate" | "key.update" | "ledger.reset_windows" | "notice.create" | "notice.delete" | "notice.edit" | "notice.update" | "person.change" | "person.join" | "person.password" | "person.recovery_codes" | "person.remove" | "person.reset_link" | "person.reset_password" | "person.setup" | "person.sign_up" | "person.totp_clear" | "person.totp_off" | "person.totp_on" | "prompt_log.delete" | "prompt_log.off" | "prompt_log.on" | "prompt_log.read" | "rate.publish" | "redeem_batch.cancel" | "redeem_batch.create" | "route.disable" | "route.drain" | "route.enable" | "secret.delete" | "secret.rotate" | "secret.set" | "setup_link.create" | "sign_in.pause" | "wallet.adjust" | "wallet.credit" | "wallet.credit_limit" | "wallet.exchange" | "wallet.refund";
        AuditEntry: {
            action: components["schemas"]["AuditAction"] | string;
            /** @description `admin`, `system`, or the id of a key or a person. */
            actor: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /** @description An object, with `before` and `after` for a change; a string if it was tampered with. */
            detail: {
                [key: string]: unknown;
            } | string;
            /** @description Hash of the entry and its predecessor, hexadecimal. */
            hash: string;
            /** @description The id. */
            id: number;
            subject: string;
        };
        Backup: {
            bytes: number;
            /** @description Path on the server. */
            file: string;
            /**
             * Format: date-time
             * @description It holds everything that was acknowledged before.
             */
            taken_at: string;
        };
        BookBalance: {
            /** @enum {string} */
            account: "top_up" | "redeem_code" | "card_payment" | "demo" | "goodwill" | "adjustment" | "revenue" | "operator_loss" | "fx:USD" | "fx:CNY";
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            balance: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
        };
        BooksMonth: {
            /**
             * @description Charges for requests, before refunds.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            charged: string;
            /**
             * @description What the requests with a known cost cost, by the costs that are configured now.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /**
             * @description What no wallet could pay for.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            /** @description `profit` as a share of that revenue; null without any. */
            margin: number | null;
            /** @description A UTC month, such as 2026-11. */
            month: string;
            /**
             * @description Credits by administrators, redeem codes and card payments.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            paid: string;
            /** @description Revenue of the requests with a known cost, less `cost`. */
            profit: string | null;
            /**
             * @description Refunds in this period, also of earlier requests.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            refunded: string;
            /** @description The number of requests. */
            requests: number;
            /** @description Requests of models and channels whose cost is unknown. */
            requests_without_cost: number;
            /**
             * @description `charged` - `refunded`.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            revenue: string;
        };
        BrandPage: {
            /** @description The text. */
            text: {
                en: string;
                zh: string | null;
            };
        };
        /** @description Health of the channel, as callers meet it. */
        ChannelHealth: {
            /** @description Milliseconds to the first token of streams in the last 24 hours; null: too few requests. */
            first_byte_ms: {
                /** @description Half of the streams were faster. */
                p50: number;
                /** @description 95 % of the streams were faster. */
                p95: number;
            } | null;
            /**
             * @description degraded: some of its routes are unavailable, or a tenth of the requests of this hour and the last failed. down: all routes are unavailable. unknown: no requests in the last 24 hours, or too few to tell.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "down" | "unknown";
            /** @description Success rate of the last 24 hours, 0 to 1; null: too few requests. */
            success_rate: number | null;
            /** @description Output tokens per second of answers in the last 24 hours; null: too few. */
            tokens_per_second: number | null;
            /** @description Success rate of the last 90 days, 0 to 1; null: too few requests. */
            uptime_90d: number | null;
        };
        ChannelHistory: {
            /**
             * @description The name of the channel.
             * @enum {string}
             */
            channel: "direct" | "stable" | "economical";
            /** @description Success rate of each day, oldest first. */
            days: (number | null)[];
            /** @description Median time to the first token of each day. Only with `model`. */
            first_token_ms?: (number | null)[];
            /** @description Output tokens per second of each day. Only with `model`. */
            tokens_per_second?: (number | null)[];
        };
        ChannelOffer: {
            /**
             * @description The channel that served the request.
             * @enum {string}
             */
            channel: "direct" | "stable" | "economical";
            /** @description What the operator pays, as configured; null: not configured. */
            cost: components["schemas"]["Price"] | null;
            /** @description The model's default channel. */
            default: boolean;
            /** @description An example price of the shipped configuration. */
            example: boolean;
            /**
             * @description The kind.
             * @enum {string}
             */
            kind: "chat" | "image" | "embedding";
            /** @description The id of the model. */
            model: string;
            model_name: string;
            price: components["schemas"]["Price"];
            /** @description The id of the price card. */
            price_card: string;
            /**
             * @description The currency in which the model is billed.
             * @enum {string}
             */
            settlement: "USD" | "CNY";
            /** @description Announced prices, in the order of their times. */
            upcoming: components["schemas"]["UpcomingPrice"][];
        };
        ChannelStatus: {
            /**
             * @description The name of the channel.
             * @enum {string}
             */
            channel: "direct" | "stable" | "economical";
            /** @description Whether requests use it that name no channel. */
            default: boolean;
            /** @description Milliseconds to the first token of streams in the last 24 hours; null: too few requests. */
            first_byte_ms: {
                /** @description Half of the streams were faster. */
                p50: number;
                /** @description 95 % of the streams were faster. */
                p95: number;
            } | null;
            /** @description Success rate of each of the last 24 hours, oldest first, the current one last. */
            hours: (number | null)[];
            /**
             * @description degraded: some of its routes are unavailable, or a tenth of the requests of this hour and the last failed. down: all routes are unavailable. unknown: no requests in the last 24 hours, or too few to tell.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "down" | "unknown";
            /** @description Success rate of the last 24 hours, 0 to 1; null: too few requests. */
            success_rate: number | null;
            /** @description Output tokens per second of answers in the last 24 hours; null: too few. */
            tokens_per_second: number | null;
            /** @description Success rate of the last 90 days, 0 to 1; null: too few requests. */
            uptime_90d: number | null;
        };
        ChatCompletion: {
            /** @description The answers, one for each of `n`. */
            choices: ({
                /** @description Why the answer ended. */
                finish_reason: string | null;
                /** @description The place in the list, from 0. */
                index: number;
                /** @description The message. */
                message: {
                    /** @description The text, or the parts, of the message. */
                    content?: string | null;
                    /**
                     * @description Who speaks: `system`, `user`, `assistant` or `tool`.
                     * @constant
                     */
                    role: "assistant";
                    /** @description The tools that the model calls. */
                    tool_calls?: ({
                        /** @description The id of the call, which its result names. */
                        id: string;
                        /** @description The kind of entry. */
                        type: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            })[];
            /** @description Seconds since 1970. */
            created: number;
            /** @description The id. */
            id: string;
            /** @description The id of the model. */
            model: string;
            /** @constant */
            object: "chat.completion";
            /** @description The tokens and the cost. */
            usage: {
                /** @description Tokens of the answer. */
                completion_tokens: number;
                /** @description The charge in USD, for people and charts. */
                cost: number;
                /**
                 * @description The currency of the cost.
                 * @enum {string}
                 */
                cost_currency: "USD" | "CNY";
                /**
                 * @description Present if the provider reported no usage: the counts are estimates, as charged.
                 * @constant
                 */
                cost_estimated?: true;
                /**
                 * @description The charge, a decimal string.
                 * @example 0.000123400
                 */
                cost_exact: string;
                /** @description Tokens of the prompt. */
                prompt_tokens: number;
                /** @description Tokens of prompt and answer together. */
                total_tokens: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        ConfigChange: {
            changes: components["schemas"]["ConfigDifference"][];
            dry_run: boolean;
            /** @description Only of a dry run. */
            errors: {
                /** @description The message. */
                message: string;
                /** @description The setting; empty for the configuration as a whole. */
                path: string;
                /** @description The file and line of an import, such as `prices.yaml:12`. */
                where: string | null;
            }[];
            /** @description Whether this node runs it. Other nodes follow within seconds. */
            in_force: boolean;
            /** @description Changed settings that nodes read only when they start. */
            needs_restart: string[];
            /** @description The newest revision after this call. */
            revision: number;
            warnings: {
                /**
                 * @description The redeem code.
                 * @enum {string}
                 */
                code: "model_removed" | "channel_removed" | "limited_to_removed" | "below_cost" | "price_zero" | "price_jump" | "plain_secret" | "upstream_unreachable" | "secret_missing";
                /** @description The message. */
                message: string;
                /** @description The change is refused unless `confirm` names the code. */
                needs_confirmation: boolean;
                /** @description The setting; empty for the configuration as a whole. */
                path: string;
            }[];
        };
        ConfigDifference: {
            /** @description As JSON; null: it was removed. */
            after: string | null;
            /** @description As JSON; a long value is cut, and a secret is `***`. */
            before: string | null;
            /** @description Such as `models.gen-x.channels.direct.price.input`. */
            path: string;
        };
        ConfigNode: {
            /** @description Why it does not run the newest revision. */
            failure: string | null;
            node: string;
            /** @description Null: the node reads all settings from its file. */
            revision: number | null;
        };
        ConfigRecord: {
            /** @description The id. */
            id: string;
            /** @description As the file writes it; a secret is `***`. */
            value: unknown;
        };
        ConfigRevision: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /** @description `system`, `admin`, or the id of a person. */
            by: string;
            /** @description The person's name. */
            by_name: string | null;
            /** @description How many settings it changed; null for the first and for those of old versions. */
            changes_count: number | null;
            /** @description SHA-256 of the document. */
            checksum: string;
            note: string;
            /**
             * @description The file of the first node, an edit, an imported file, or an earlier revision.
             * @enum {string}
             */
            origin: "file" | "change" | "import" | "restore";
            /** @description The first five settings that it changed. */
            paths: string[];
            /** @description The earlier revision of a restore. */
            restored: number | null;
            revision: number;
        };
        CostDetails: {
            /**
             * @description What the provider did not report: the most expensive possible value counts.
             * @example [
             *       "tier: priority"
             *     ]
             */
            assumed: string[];
            /** @description The price card that was charged. */
            card: string;
            /**
             * @description The currency of the price card.
             * @enum {string}
             */
            card_currency: "USD" | "CNY";
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            charge: string;
            /** @description The exchange of the cost to the billing currency; null: none. */
            conversion: {
                /**
                 * @description The currency before the exchange.
                 * @enum {string}
                 */
                from: "USD" | "CNY";
                /** @description The id. */
                id: string;
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                rate: string;
                /**
                 * @description The currency after the exchange.
                 * @enum {string}
                 */
                to: "USD" | "CNY";
            } | null;
            /**
             * @description The sum of the lines.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost_unrounded: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description Always empty. */
            discounts: [
            ];
            /** @description The lines whose amounts add up to the cost. */
            lines: components["schemas"]["CostLine"][];
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            /**
             * @description The sum, converted and rounded once.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            price: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            refunded: string;
            /** @description The rounding of the cost. */
            rounding: string;
            /** @description What the provider served although the card has no price for it. */
            unpriced: string[];
            /**
             * @description `charge` + `loss` + `waived` is `price`.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            waived: string;
        };
        /** @description Exactly count times price, in the currency of the card. */
        CostLine: {
            /**
             * @description The kind of tokens.
             * @enum {string}
             */
            bucket: "input" | "cache_read" | "cache_write_5m" | "cache_write_1h" | "output" | "reasoning" | "audio_input" | "audio_output" | "image_input" | "image_output";
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /** @description How many. */
            count: number;
            /**
             * @description The kind.
             * @constant
             */
            kind: "tokens";
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            rate_per_1m: string;
            /**
             * @description The conditions that chose the price; empty for the price without conditions.
             * @example tier: priority, prompt_over: 272000
             */
            why: string;
        } | {
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /** @description How many. */
            count: number;
            /**
             * @description The price of one use.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            fee: string;
            /**
             * @description The kind.
             * @constant
             */
            kind: "fee";
            /**
             * @description What the price is for.
             * @enum {string}
             */
            unit: "request" | "web_search" | "web_fetch" | "file_search" | "code_execution" | "x_search" | "maps";
            /**
             * @description The conditions that chose the price; empty for the price without conditions.
             * @example tier: priority, prompt_over: 272000
             */
            why: string;
        } | {
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /** @description How many. */
            count: number;
            /**
             * @description The kind.
             * @constant
             */
            kind: "images";
            /** @description The size, or size and quality, by which images are charged. */
            price_key: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            price_per_image: string;
        };
        CreatedKey: {
            /** @description The account that pays. */
            account_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description The person who made the key, and who can change it like an owner. */
            created_by: string | null;
            /**
             * @description Changes with the settings. Send it in `If-Match` to change only what you read.
             * @example "mZ3vUq1kq4qXk0pYb2tQxA"
             */
            etag: string;
            /** @description When the key expires; null: never. */
            expires_at: string | null;
            /** @description The id. */
            id: string;
            /** @description When the key was last used; null: never. */
            last_used_at: string | null;
            limits: components["schemas"]["Limits"];
            /** @example sk-mg-abcd...wxyz */
            masked: string;
            /** @description The name. */
            name: string;
            /** @description When the secret before the last rotation stops working. */
            previous_secret_until: string | null;
            /** @description Null: an ordinary key. playground: the console uses it. */
            purpose: "playground" | null;
            revoked_at: string | null;
            /** @description Shown only once. */
            secret: string;
            /** @description What was or may be spent, by period. */
            spend: components["schemas"]["Spend"];
            /**
             * @description disabled: refused until it is enabled again. revoked: refused for good.
             * @enum {string}
             */
            status: "active" | "disabled" | "revoked";
        };
        CreatedRedeemBatch: {
            /**
             * @description The amount of one code.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /** @description Whether the caller disconnected. */
            cancelled: number;
            cancelled_at: string | null;
            codes: string[];
            /** @description How many. */
            count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description When the key expires; null: never. */
            expires_at: string | null;
            /** @description The id. */
            id: string;
            /** @description Why the balance changed; null: see the request. */
            reason: string;
            used: number;
        };
        Credit: {
            /** @description The account that pays. */
            account_id: string;
            /** @description Booked by an earlier request with this id, and not again. */
            already_applied: boolean;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /**
             * @description What the wallet can afford now.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description The id. */
            id: string;
        };
        CreditLimit: {
            /** @description The account that pays. */
            account_id: string;
            /** @description Booked by an earlier request with this id, and not again. */
            already_applied: boolean;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /**
             * @description What the wallet can afford now.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description The id. */
            id: string;
            /**
             * @description The kind.
             * @constant
             */
            kind: "credit_limit";
        };
        /** @description `total_credits` - `total_usage` is the USD balance. */
        Credits: {
            /** @description What was spent. */
            spent: components["schemas"]["Spent"][];
            /** @description In USD. */
            total_credits: number;
            /** @description In USD. */
            total_usage: number;
            /** @description The wallets of the account, one for each currency. */
            wallets: components["schemas"]["Wallet"][];
        };
        Embeddings: {
            /** @description The embeddings, in the order of the inputs. */
            data: ({
                /** @description Numbers, or base64 of little-endian 32-bit floats. */
                embedding: number[] | string;
                /** @description The place in the list, from 0. */
                index: number;
                /** @constant */
                object: "embedding";
            } & {
                [key: string]: unknown;
            })[];
            /** @description The id of the model. */
            model: string;
            /** @constant */
            object: "list";
            /** @description The tokens and the cost. */
            usage: {
                /** @description The charge in USD, for people and charts. */
                cost: number;
                /**
                 * @description The currency of the cost.
                 * @enum {string}
                 */
                cost_currency: "USD" | "CNY";
                /**
                 * @description Present if the provider reported no usage: the counts are estimates, as charged.
                 * @constant
                 */
                cost_estimated?: true;
                /**
                 * @description The charge, a decimal string.
                 * @example 0.000123400
                 */
                cost_exact: string;
                /** @description Tokens of the prompt. */
                prompt_tokens: number;
                /** @description Tokens of prompt and answer together. */
                total_tokens: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        Error: {
            /** @description What went wrong. */
            error: {
                code: components["schemas"]["ErrorCode"];
                /** @description What is wrong, where, and what to do. */
                message: string;
                /** @description The field that is wrong; null: none. */
                param?: string | null;
                /** @description The kind of entry. */
                type: string;
            };
            /** @description The id of the request, as in the header `x-request-id`. */
            request_id?: string;
            /**
             * @description The kind of entry.
             * @constant
             */
            type?: "error";
        };
        /**
         * @description Codes never change.
         * @enum {string}
         */
        ErrorCode: "invalid_json" | "invalid_value" | "missing_required_parameter" | "unsupported_value" | "weak_password" | "wrong_password" | "wrong_code" | "unsupported_parameter" | "unsupported_modality" | "wrong_endpoint" | "channel_not_available" | "context_length_exceeded" | "content_policy_violation" | "invalid_encrypted_content" | "thread_unsupported_request" | "previous_response_not_found" | "upstream_rejected_request" | "invalid_api_key" | "not_signed_in" | "sign_in_failed" | "insufficient_balance" | "spend_limit_reached" | "totp_required" | "not_allowed" | "cross_origin" | "model_not_found" | "unknown_url" | "not_found" | "link_not_valid" | "method_not_allowed" | "conflict" | "config_in_file" | "confirmation_required" | "email_taken" | "last_of_role" | "idempotency_in_progress" | "idempotency_not_replayable" | "revision_changed" | "request_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "upgrade_required" | "if_match_required" | "rate_limit_exceeded" | "one_request_at_a_time" | "caller_left" | "internal_error" | "upstream_failed" | "upstream_truncated" | "upstream_refused_us" | "payment_provider_failed" | "upstream_overloaded" | "store_unavailable" | "config_mismatch" | "secrets_key_missing" | "shutting_down" | "upstream_timeout";
        Exchange: {
            /** @description The account that pays. */
            account_id: string;
            /** @description Booked by an earlier request with this id, and not again. */
            already_applied: boolean;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /**
             * @description What the wallet can afford now.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description The id. */
            id: string;
            /**
             * @description The kind.
             * @constant
             */
            kind: "exchange";
            rate: {
                /**
                 * @description The currency before the exchange.
                 * @enum {string}
                 */
                from: "USD" | "CNY";
                /** @description The id. */
                id: string;
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                rate: string;
                /**
                 * @description The currency after the exchange.
                 * @enum {string}
                 */
                to: "USD" | "CNY";
            };
        };
        FxRate: {
            /**
             * @description The currency before the exchange.
             * @enum {string}
             */
            from: "USD" | "CNY";
            /** @description The id. */
            id: string;
            in_force: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            published_at: string;
            /**
             * @description What one unit of `from` buys.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            rate: string;
            /**
             * @description The currency after the exchange.
             * @enum {string}
             */
            to: "USD" | "CNY";
        };
        Generation: {
            /** @description Whether the caller disconnected. */
            cancelled: boolean;
            /** @description The channel that served the request. */
            channel: string;
            /** @description The channel that the request named; null: none. */
            channel_requested: string | null;
            /**
             * @description The currency of the cost.
             * @enum {string}
             */
            cost_currency: "USD" | "CNY";
            /** @description How the cost was calculated, line by line. */
            cost_details: components["schemas"]["CostDetails"];
            /** @description Whether the tokens were estimated, because the provider reported none. */
            cost_estimated: boolean;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost_exact: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost_unrounded: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description Milliseconds from acceptance to the last byte. */
            duration_ms: number;
            /**
             * @description The endpoint that was called.
             * @enum {string}
             */
            endpoint: "chat" | "messages" | "responses" | "images" | "embeddings";
            /** @description What went wrong, as a stable code; null: nothing. */
            error_code: string | null;
            /** @description Why the answer ended. */
            finish_reason: string | null;
            /** @description Milliseconds to the first byte of the answer; null: none came. */
            first_byte_ms: number | null;
            /** @description The id of the exchange rate; null: no exchange. */
            fx_rate: string | null;
            /** @description Milliseconds in which the answer was generated. */
            generation_time: number;
            /** @description The id. */
            id: string;
            /** @description The number of images. */
            images: {
                /** @description How many. */
                count: number;
                /** @description The size, or size and quality, by which images are charged. */
                price_key: string;
            } | null;
            /** @description The API key. */
            key_id: string;
            /** @description Milliseconds to the first byte. */
            latency: number;
            /** @description How the tokens are known: reported by the provider, read on to its report after the client disconnected, or estimated by the text or by the time of generation. Null for images. */
            measure: ("reported" | "read_on" | "estimated" | "estimated_by_time") | null;
            /** @description The id of the model. */
            model: string;
            /** @description Tokens read from the prompt cache, as the provider counted. */
            native_tokens_cached: number;
            /** @description Tokens of the answer, as the provider counted. */
            native_tokens_completion: number;
            /** @description Tokens of the prompt, as the provider counted. */
            native_tokens_prompt: number;
            /** @description Images in the answer. */
            num_media_completion: number;
            /**
             * @description How the request ended.
             * @enum {string}
             */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            /** @description The id of the price card. */
            price_card: string;
            /** @description Always the name of this gateway. */
            provider_name: string;
            /** @description Whether the answer was sent as events. */
            streamed: boolean;
            /** @description Tokens of the answer. */
            tokens_completion: number;
            /** @description Tokens of the prompt. */
            tokens_prompt: number;
            /** @description In USD. */
            total_cost: number;
            /** @description In USD. */
            usage: number;
            /** @description The tokens by the kinds that are charged. */
            usage_buckets: {
                /** @description Audio in the prompt. */
                audio_input: number;
                /** @description Audio in the answer. */
                audio_output: number;
                /** @description Tokens read from the prompt cache. */
                cache_read: number;
                /** @description Tokens written to the prompt cache for one hour. */
                cache_write_1h: number;
                /** @description Tokens written to the prompt cache for five minutes. */
                cache_write_5m: number;
                /** @description Images in the prompt. */
                image_input: number;
                /** @description Images in the answer. */
                image_output: number;
                /** @description Tokens of the prompt that no other bucket counts. */
                input: number;
                /** @description Tokens of the answer that no other bucket counts. */
                output: number;
                /** @description Tokens of reasoning. */
                reasoning: number;
            };
        };
        GoogleError: {
            /** @description What went wrong. */
            error: {
                /** @description What went wrong, as a stable code. */
                code: number;
                /** @description More about the error. */
                details: {
                    reason?: components["schemas"]["ErrorCode"];
                }[];
                /** @description What is wrong, where, and what to do. */
                message: string;
                /** @description The status as a word. */
                status: string;
            };
        };
        Images: {
            /** @description Models that are priced per token. */
            background?: string;
            /** @description Seconds since 1970. */
            created: number;
            /** @description The images. */
            data: {
                /** @description The file itself. */
                b64_json?: string;
                /** @description The prompt as the provider rewrote it. */
                revised_prompt?: string;
                /** @description A temporary URL of the file. */
                url?: string;
            }[];
            /** @description Models that are priced per token. */
            output_format?: string;
            /** @description Models that are priced per token. */
            quality?: string;
            /** @description Models that are priced per token. */
            size?: string;
            /** @description Models that are priced per token: the tokens that were charged. */
            usage?: {
                /** @description The charge in USD, for people and charts. */
                cost: number;
                /**
                 * @description The currency of the cost.
                 * @enum {string}
                 */
                cost_currency: "USD" | "CNY";
                /**
                 * @description Present if the provider reported no usage: the counts are estimates, as charged.
                 * @constant
                 */
                cost_estimated?: true;
                /**
                 * @description The charge, a decimal string.
                 * @example 0.000123400
                 */
                cost_exact: string;
                /** @description Tokens of the prompt. */
                input_tokens: number;
                /** @description Tokens of the answer. */
                output_tokens: number;
                /** @description Tokens of prompt and answer together. */
                total_tokens: number;
            } & {
                [key: string]: unknown;
            };
        };
        /** @description Hours in a row in which a tenth or more of the requests failed. */
        Incident: {
            /**
             * @description The name of the channel.
             * @enum {string}
             */
            channel: "direct" | "stable" | "economical";
            /**
             * Format: date-time
             * @description The start of the first hour.
             */
            from: string;
            /** @description The id of the model. */
            model: string;
            /** @description The name of the model. */
            name: string;
            /** @description Whether it reaches into the last two hours. */
            ongoing: boolean;
            /** @description Share of requests that succeeded, 0 to 1. */
            success_rate: number;
            /**
             * Format: date-time
             * @description The end of the last hour.
             */
            until: string;
        };
        InputTokens: {
            /** @description Tokens of the prompt. */
            input_tokens: number;
            /** @constant */
            object: "response.input_tokens";
        };
        Invitation: {
            /** @description The account that pays. */
            account_id: string | null;
            account_name: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            email: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            /** @description The id. */
            id: string;
            invited_by: string;
            /**
             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
             * @enum {string}
             */
            role: "read_only" | "member" | "owner" | "administrator";
            /** @enum {string} */
            state: "open" | "accepted" | "expired";
        };
        Key: {
            /** @description The account that pays. */
            account_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description The person who made the key, and who can change it like an owner. */
            created_by: string | null;
            /**
             * @description Changes with the settings. Send it in `If-Match` to change only what you read.
             * @example "mZ3vUq1kq4qXk0pYb2tQxA"
             */
            etag: string;
            /** @description When the key expires; null: never. */
            expires_at: string | null;
            /** @description The id. */
            id: string;
            /** @description When the key was last used; null: never. */
            last_used_at: string | null;
            limits: components["schemas"]["Limits"];
            /** @example sk-mg-abcd...wxyz */
            masked: string;
            /** @description The name. */
            name: string;
            /** @description When the secret before the last rotation stops working. */
            previous_secret_until: string | null;
            /** @description Null: an ordinary key. playground: the console uses it. */
            purpose: "playground" | null;
            revoked_at: string | null;
            /** @description What was or may be spent, by period. */
            spend: components["schemas"]["Spend"];
            /**
             * @description disabled: refused until it is enabled again. revoked: refused for good.
             * @enum {string}
             */
            status: "active" | "disabled" | "revoked";
        };
        LedgerVerification: {
            breach_count: number;
            breaches: {
                /** @description How closely an image is looked at. */
                detail: string;
                invariant: string;
                subject: string;
            }[];
            ok: boolean;
        };
        /** @description Null: no limit. Caps on spending are in USD. */
        Limits: {
            /** @description The channels that the key may use; null: all. */
            channels: string[] | null;
            /** @description The most requests at once; null: no limit. */
            concurrency: number | null;
            /** @description The addresses from which the key works; null: all. */
            ip_ranges: string[] | null;
            /** @description The models that the key may use; null: all. */
            models: string[] | null;
            /** @description The most requests per minute; null: no limit. */
            requests_per_minute: number | null;
            /** @description What was or may be spent, by period. */
            spend: {
                /** @description In one day (UTC). */
                day: string | null;
                /** @description In one month (UTC). */
                month: string | null;
                /** @description In all. */
                total: string | null;
                /** @description In one week (UTC), from Monday. */
                week: string | null;
            };
            /** @description The most tokens per minute; null: no limit. */
            tokens_per_minute: number | null;
        };
        Link: {
            account_name: string | null;
            email: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            /**
             * @description The kind.
             * @enum {string}
             */
            kind: "setup" | "invitation" | "password_reset";
            /** @description Who speaks: `system`, `user`, `assistant` or `tool`. */
            role: ("read_only" | "member" | "owner" | "administrator") | null;
        };
        LoggedPrompt: {
            /** @description The body of the answer as it was delivered. */
            answer: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /** @description Whether the end of either is missing. */
            is_cut: boolean;
            /** @description The body of the request as it was sent. */
            prompt: string;
            /** @description The id of the request, as in the header `x-request-id`. */
            request_id: string;
        };
        Member: {
            account: {
                /** @description The id. */
                id: string;
                /** @description The name. */
                name: string;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            email: string;
            /**
             * @description Changes with the settings. Send it in `If-Match` to change only what you read.
             * @example "mZ3vUq1kq4qXk0pYb2tQxA"
             */
            etag: string;
            /** @description The id. */
            id: string;
            last_seen_at: string | null;
            /** @description The name. */
            name: string;
            /**
             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
             * @enum {string}
             */
            role: "read_only" | "member" | "owner" | "administrator";
            totp_enabled: boolean;
        };
        Message: {
            /** @description The text, or the parts, of the message. */
            content: ({
                /** @description The kind of entry. */
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The id. */
            id: string;
            /** @description The id of the model. */
            model: string;
            /**
             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
             * @constant
             */
            role: "assistant";
            /** @description Why the answer ended. */
            stop_reason: string | null;
            /**
             * @description The kind of entry.
             * @constant
             */
            type: "message";
            /** @description The tokens and the cost. */
            usage: {
                /** @description The charge in USD, for people and charts. */
                cost: number;
                /**
                 * @description The currency of the cost.
                 * @enum {string}
                 */
                cost_currency: "USD" | "CNY";
                /**
                 * @description Present if the provider reported no usage: the counts are estimates, as charged.
                 * @constant
                 */
                cost_estimated?: true;
                /**
                 * @description The charge, a decimal string.
                 * @example 0.000123400
                 */
                cost_exact: string;
                /** @description Tokens of the prompt. */
                input_tokens: number;
                /** @description Tokens of the answer. */
                output_tokens: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        Model: {
            /** @description A field of the Messages protocol that is always empty here. */
            allowed_fallback_models: string[];
            /** @description Image models; the first is the default. */
            backgrounds?: string[];
            /** @description A field of the Messages protocol that is always null here. */
            capabilities: {
                [key: string]: unknown;
            } | null;
            /** @description The channels on which the model is sold. */
            channels: components["schemas"]["ModelChannel"][];
            /** @description The most tokens of prompt and answer together; null: not applicable. */
            context_length: number | null;
            /** @description Seconds since 1970. Without a release date, the day on which prices were loaded. */
            created: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description A field of the Messages protocol that is always null here. */
            deprecated_at: string | null;
            /** @description What it is good at; null: no text. */
            description: string | null;
            /** @description The same in Chinese. */
            description_zh: string | null;
            /** @description Embedding models: numbers per embedding. */
            dimensions?: number;
            /** @description The name for people. */
            display_name: string;
            /** @description The id. */
            id: string;
            /** @description Image models with prices per token: the most output tokens of an image, by size, or size and quality. */
            image_tokens?: {
                [key: string]: number;
            };
            /** @description What the model takes: `text`, `image`, `file`, `audio`, `video`. */
            input_modalities: string[];
            /**
             * @description What the model makes: chat, images or embeddings.
             * @enum {string}
             */
            kind: "chat" | "image" | "embedding";
            /**
             * @description A field of the Messages protocol that is always the same here.
             * @constant
             */
            lifecycle: "active";
            /** @description A field of the Messages protocol that is always null here. */
            line: string | null;
            /** @description Who makes the model. */
            maker: string;
            /** @description Image models: images per request. */
            max_images?: number;
            /** @description Image models: images that an edit may have; 0: the model edits none. */
            max_input_images?: number;
            /** @description The most tokens of a prompt; null: not applicable. */
            max_input_tokens: number | null;
            /** @description Embedding models: inputs per request. */
            max_inputs?: number;
            /** @description The most tokens of an answer; null: not applicable. */
            max_output_tokens: number | null;
            /** @description Image models: partial images of a stream; null: the model does not stream. */
            max_partial_images?: number | null;
            /** @description The most tokens of an answer. */
            max_tokens: number | null;
            /** @description Embedding models: tokens of all inputs of a request. */
            max_total_tokens?: number;
            /** @description Embedding models: the fewest numbers; null: `dimensions` cannot be changed. */
            min_dimensions?: number | null;
            /** @description Image models; the first is the default. */
            moderations?: string[];
            /** @description The name. */
            name: string;
            /** @constant */
            object: "model";
            /** @description Image models; the first is the default. */
            output_formats?: string[];
            /** @description What the model gives: `text`, `image`, `embeddings`. */
            output_modalities: string[];
            /** @description Who makes the model. */
            owned_by: string;
            /** @description Image models; the first is the default. */
            qualities?: string[];
            /** @description YYYY/MM/DD */
            release_date: string | null;
            /** @description A field of the Messages protocol that is always null here. */
            retires_at: string | null;
            /**
             * @description The currency in which the model is billed.
             * @enum {string}
             */
            settlement: "USD" | "CNY";
            /** @description Null: prices are in the settlement currency. */
            settlement_rate: {
                /** @description The id. */
                id: string;
                /**
                 * @description Units of the settlement currency for one USD.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                rate: string;
            } | null;
            /** @description A field of the OpenAI protocol that is always the same here. */
            shutdown_date: string | null;
            /** @description Image models. */
            sizes?: string[];
            /** @description Image models; the first is the default. */
            styles?: string[];
            /** @description Words to filter by, such as `code`. */
            tags: string[];
            /**
             * @description The kind of entry.
             * @constant
             */
            type: "model";
        };
        ModelChannel: {
            /**
             * @description The name of the channel.
             * @enum {string}
             */
            channel: "direct" | "stable" | "economical";
            /** @description Whether requests use it that name no channel. */
            default: boolean;
            /** @description An example price of the shipped configuration. */
            example: boolean;
            health: components["schemas"]["ChannelHealth"];
            price: components["schemas"]["Price"];
            /** @description The id of the price card. */
            price_card: string;
            /** @description Null: the price depends on token counts alone. */
            price_terms: components["schemas"]["PriceTerms"] | null;
            /** @description Parameters that the channel honors: of chat completions, and `speed` and `inference_geo` of Messages. Others are ignored, or refused by name. Those that change the price are listed where the card sells them. */
            supported_parameters: ("max_completion_tokens" | "temperature" | "top_p" | "presence_penalty" | "frequency_penalty" | "seed" | "stop" | "n" | "logit_bias" | "logprobs" | "tools" | "tool_choice" | "parallel_tool_calls" | "response_format" | "reasoning_effort" | "verbosity" | "service_tier" | "speed" | "inference_geo")[];
            /** @description Announced prices, in the order of their times. */
            upcoming: components["schemas"]["UpcomingPrice"][];
        };
        ModelStatus: {
            /** @description Its channels. */
            channels: components["schemas"]["ChannelStatus"][];
            /** @description The id of the model. */
            id: string;
            /** @description The name of the model. */
            name: string;
            /**
             * @description The best of its channels, since callers can choose any of them.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "down" | "unknown";
        };
        /** @description `closing` is `opening` + `came_in` + `went_out`, and also `opening` + the five amounts below. */
        MonthlyStatement: {
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            adjusted: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            came_in: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            closing: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            exchanged: string;
            /**
             * @description UTC.
             * @example 2026-11
             */
            month: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            opening: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            refunds: string;
            /**
             * @description Charges of requests, with their corrections. Negative.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            requests: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            top_ups: string;
            /**
             * @description Zero or negative.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            went_out: string;
        };
        Movement: {
            /**
             * @description Negative for money that left the wallet.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            balance_after: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description The exchange rate of the movement; null: no exchange. */
            fx_price: string | null;
            /** @description The id of the exchange rate; null: no exchange. */
            fx_rate: string | null;
            /** @description The id. */
            id: string;
            /**
             * @description The kind.
             * @enum {string}
             */
            kind: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
            /** @description Why the balance changed; null: see the request. */
            reason: string | null;
            /** @description The id of the request, as in the header `x-request-id`. */
            request_id: string | null;
            /** @description The ledger account on the other side. */
            source: string;
        };
        NewInvitation: {
            /** @description The account that pays. */
            account_id: string | null;
            account_name: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            email: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            /** @description The id. */
            id: string;
            invited_by: string;
            /**
             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
             * @enum {string}
             */
            role: "read_only" | "member" | "owner" | "administrator";
            /** @enum {string} */
            state: "open" | "accepted" | "expired";
            /** @description An https address or a data URL. */
            url: string;
        };
        NightlyReconciliation: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /** @description Why there is no result yet. The comparison is repeated every hour. */
            failure: string | null;
            result: components["schemas"]["Reconciliation"] | null;
            /**
             * Format: date
             * @description The last day that was compared.
             */
            to: string;
            upstream: string;
        };
        /** @description An incident or maintenance, written by the operator. */
        Notice: {
            /** @description What is affected. Empty: everything. */
            affects: components["schemas"]["AffectedByNotice"][];
            /** @description When it ended, or will end; null: open. */
            ends_at: string | null;
            /** @description The id of the notice. */
            id: string;
            /**
             * @description An incident, or planned maintenance.
             * @enum {string}
             */
            kind: "incident" | "maintenance";
            /**
             * Format: date-time
             * @description When it began, or will begin.
             */
            starts_at: string;
            /**
             * @description investigating, identified, monitoring and resolved: of an incident. The others: of maintenance; canceled is ended before its start.
             * @enum {string}
             */
            state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | "canceled";
            /** @description Plain text. */
            title: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
            /** @description What was written, latest first. */
            updates: components["schemas"]["NoticeUpdate"][];
        };
        NoticeUpdate: {
            /**
             * Format: date-time
             * @description When it was written.
             */
            at: string;
            /**
             * @description investigating, identified, monitoring and resolved: of an incident. The others: of maintenance; canceled is ended before its start.
             * @enum {string}
             */
            state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | "canceled";
            /** @description Plain text. */
            text: string;
        };
        OneTimeLink: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            /** @description An https address or a data URL. */
            url: string;
        };
        OpenAiError: {
            /** @description What went wrong. */
            error: {
                code: components["schemas"]["ErrorCode"];
                /** @description What is wrong, where, and what to do. */
                message: string;
                /** @description The field that is wrong; null: none. */
                param?: string | null;
                /** @description The kind of entry. */
                type: string;
            };
        };
        OperatorSummary: {
            /** @description The accounts with the highest charges. Null if more than 10000 were used: choose fewer days. */
            accounts: {
                /**
                 * @description In USD, each request converted at the rate of its time.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                charge_usd: string;
                /** @description Requests with an outcome other than `completed`. */
                failed: number;
                /** @description The id. */
                id: string;
                /** @description The name. */
                name: string;
                /** @description The number of requests. */
                requests: number;
            }[] | null;
            /** @description One entry per currency with requests or refunds. */
            books: {
                /**
                 * @description Charges for requests, before refunds.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                charged: string;
                /**
                 * @description What the requests with a known cost cost, by the costs that are configured now.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                cost: string;
                /**
                 * @description The currency: USD or CNY.
                 * @enum {string}
                 */
                currency: "USD" | "CNY";
                /**
                 * @description What no wallet could pay for.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                loss: string;
                /** @description `profit` as a share of that revenue; null without any. */
                margin: number | null;
                /** @description Revenue of the requests with a known cost, less `cost`. */
                profit: string | null;
                /**
                 * @description Refunds in this period, also of earlier requests.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                refunded: string;
                /** @description The number of requests. */
                requests: number;
                /** @description Requests of models and channels whose cost is unknown. */
                requests_without_cost: number;
                /**
                 * @description `charged` - `refunded`.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                revenue: string;
            }[];
            /** @description By day and currency, newest first; days without requests are absent. */
            days: {
                /**
                 * @description Charges for requests, before refunds.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                charged: string;
                /**
                 * @description The currency: USD or CNY.
                 * @enum {string}
                 */
                currency: "USD" | "CNY";
                /**
                 * Format: date
                 * @description A day, UTC.
                 */
                day: string;
                /** @description Requests with an outcome other than `completed`. */
                failed: number;
                /** @description The number of requests. */
                requests: number;
            }[];
            first_low_wallets: {
                /** @description The account that pays. */
                account_id: string;
                /**
                 * @description The currency: USD or CNY.
                 * @enum {string}
                 */
                currency: "USD" | "CNY";
                /** @description The name. */
                name: string;
            }[];
            /**
             * Format: date
             * @description The first day (UTC).
             */
            from: string;
            /** @description Wallets that are below their alert threshold now. */
            low_wallets: number;
            /** @description The models with the highest charges. */
            models: {
                /**
                 * @description In USD, each request converted at the rate of its time.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                charge_usd: string;
                /** @description Requests with an outcome other than `completed`. */
                failed: number;
                /** @description The id. */
                id: string;
                /** @description The number of requests. */
                requests: number;
            }[];
            new_accounts: number;
            new_people: number;
            /** @description Requests that cost more than was held for them. */
            overruns: number;
            /**
             * Format: date
             * @description The last day (UTC), included.
             */
            to: string;
        };
        OutOfService: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /** @description `admin`, or the id of a person. */
            by: string;
            by_name: string | null;
            /** @description Why the balance changed; null: see the request. */
            reason: string;
            /** @description null: not by itself. */
            return_at: string | null;
            /** @enum {string} */
            state: "drained" | "disabled";
            /** @description Whether it holds for all its routes. */
            whole_upstream: boolean;
        };
        Overrun: {
            /** @description The account that pays. */
            account_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /** @description How many answers must still stay within their holds before the account may have two requests at once. */
            careful_answers: number;
            /** @description What cost the most: a usage bucket, a fee, or `images`. */
            cause: ("input" | "cache_read" | "cache_write_5m" | "cache_write_1h" | "output" | "reasoning" | "audio_input" | "audio_output" | "image_input" | "image_output" | "request" | "web_search" | "web_fetch" | "file_search" | "code_execution" | "x_search" | "maps" | "images") | null;
            /** @description The channel that served the request. */
            channel: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            charge: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            held: string;
            /**
             * @description The part of the price that the wallet could not pay.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            /** @description The id of the model. */
            model: string;
            /**
             * @description How the request ended.
             * @enum {string}
             */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            /**
             * @description `charge` + `loss`, which is above `held`.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            price: string;
            /** @description The id of the request, as in the header `x-request-id`. */
            request_id: string;
            /** @description What was served without a price. */
            unpriced: string[];
            upstream: string;
            upstream_model: string;
        };
        Overview: {
            account: components["schemas"]["Account"];
            failed_last_7_days: number;
            /** @description Whether any request ever completed. */
            first_call_done: boolean;
            /** @description The newest requests of the last seven days, failed ones included. */
            recent_requests: components["schemas"]["RequestRecord"][];
            requests_last_7_days: number;
            /** @description The wallet that is used up first. */
            runway_currency: ("USD" | "CNY") | null;
            /** @description How many days every kind of recent request can still be paid, at the spending of the last seven days; null: nothing was spent. */
            runway_days: number | null;
            /** @description What was or may be spent, by period. */
            spend: components["schemas"]["RecentSpend"][];
            /** @description The wallets of the account, one for each currency. */
            wallets: components["schemas"]["WatchedWallet"][];
        };
        OwnAttempt: {
            /** @description The channel that served the request. */
            channel: string;
            /** @description Until the status line or the failure. */
            duration_ms: number;
            /** @description The HTTP status, or the code of the failure. */
            result: string;
            /** @description Since admission of the request. */
            start_ms: number;
        };
        OwnKey: {
            /** @description The account that pays. */
            account_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description When the key expires; null: never. */
            expires_at: string | null;
            /** @description The id. */
            id: string;
            /** @constant */
            is_free_tier: false;
            /** @constant */
            is_management_key: false;
            /** @description The name of the key. */
            label: string;
            /** @description When the key was last used; null: never. */
            last_used_at: string | null;
            /** @description The most that the key may spend; null: no limit. */
            limit: number | null;
            /** @description What is left of the limit; null: no limit. */
            limit_remaining: number | null;
            /** @description When the limit starts again; null: never. */
            limit_reset: ("daily" | "weekly" | "monthly") | null;
            limits: components["schemas"]["Limits"];
            /** @description The name. */
            name: string;
            /** @description What was or may be spent, by period. */
            spend: components["schemas"]["Spend"];
            /** @description What was spent. */
            spent: components["schemas"]["Spent"][];
            /** @description In USD. */
            usage: number;
            /** @description In USD. */
            usage_daily: number;
            /** @description In USD. */
            usage_monthly: number;
            /** @description In USD. */
            usage_weekly: number;
        };
        PaymentEvent: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description How closely an image is looked at. */
            detail: string;
            /** @description The id. */
            id: string;
            order_id: string | null;
            /**
             * @description How the request ended.
             * @enum {string}
             */
            outcome: "booked" | "noted" | "ignored" | "mismatch" | "unknown_order" | "reversed";
            /** @description The kind of entry. */
            type: string;
        };
        Person: {
            account: {
                /** @description The id. */
                id: string;
                /** @description The name. */
                name: string;
            };
            email: string;
            /** @description The id. */
            id: string;
            /** @description The name. */
            name: string;
            /**
             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
             * @enum {string}
             */
            role: "read_only" | "member" | "owner" | "administrator";
            totp_enabled: boolean;
            totp_required: boolean;
        };
        PreviewedUsage: {
            /**
             * @description The channel that served the request.
             * @enum {string}
             */
            channel: "direct" | "stable" | "economical";
            /**
             * @description The currency of the wallets that paid.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /**
             * @description What they were charged, in USD, each converted at the rate of its time.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            earned: string;
            /** @description The id of the model. */
            model: string;
            /** @description In USD; null if it is not known. */
            proposed: string | null;
            /** @description The number of requests. */
            requests: number;
            /** @description Why it is not known: the price has conditions, or is by the image, and there are too many requests to price one by one; an image has no new price; the price changes between tokens and images; or there is no exchange rate. */
            unknown: ("too_many" | "unpriced" | "other_unit" | "no_rate") | null;
        };
        /** @description Decimal strings; null: not listed. */
        Price: {
            /** @description Null: these tokens are charged as input. */
            audio_input: string | null;
            /** @description Null: these tokens are charged as output. */
            audio_output: string | null;
            /** @description Null: these tokens are charged as input. */
            cache_read: string | null;
            /** @description Null: these tokens are charged as input. */
            cache_write: string | null;
            /** @description Null: 2 times the price of input. */
            cache_write_1h: string | null;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description Null: these tokens are charged as input. */
            image_input: string | null;
            /** @description Null: these tokens are charged as output. */
            image_output: string | null;
            /** @description The price of the prompt. */
            input: string | null;
            /** @description The price of the answer. */
            output: string | null;
            /** @description By size, such as 1024x1024, or size and quality, such as 1024x1024/hd. */
            per_image: {
                [key: string]: string;
            } | null;
            /** @description Null: these tokens are charged as output. */
            reasoning: string | null;
            /**
             * @description What the price is for.
             * @enum {string}
             */
            unit: "1M tokens" | "image";
        };
        PriceCard: {
            /** @description The channel that served the request. */
            channel: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description When it comes or came into force; null if it did when it was published. */
            effective_from: string | null;
            /** @description The id. */
            id: string;
            /** @description Whether requests are priced with it now. */
            in_force: boolean;
            /** @description The id of the model. */
            model: string;
            /** @description Null on an image card. */
            per_1m_tokens: {
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                audio_input: string;
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                audio_output: string;
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                cache_read: string;
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                cache_write_1h: string;
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                cache_write_5m: string;
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                image_input: string;
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                image_output: string;
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                input: string;
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                output: string;
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                reasoning: string;
            } | null;
            /** @description By size, or size and quality; null on a token card. */
            per_image: {
                [key: string]: string;
            } | null;
            /** @description Null: the price depends on counts alone. */
            price_terms: components["schemas"]["PriceTerms"] | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            published_at: string;
            /** @description YYYY-MM-DD; to be read again by then. */
            review: string | null;
            /** @description Whether that date has passed. */
            review_due: boolean;
            /** @description Where the price in force was read. */
            source: string | null;
        };
        PriceComparison: {
            /** @enum {string} */
            compare: "price" | "cost";
            /** @description How many channels were compared. */
            compared: number;
            /** @description The entries of the page. */
            data: components["schemas"]["PriceDifference"][];
            /**
             * @description The form of the output.
             * @enum {string}
             */
            format: "litellm" | "models.dev";
            /** @description The newest one, as in `ETag`. */
            revision: number | null;
            unmatched: components["schemas"]["UnmatchedPrice"][];
        };
        /** @description The conditions of `when`, one by one. */
        PriceConditions: {
            /** @description Null: no condition. */
            geo: string[] | null;
            /** @description The fewest tokens of the prompt; null: no condition. */
            prompt_from: number | null;
            /** @description More tokens of the prompt than this; null: no condition. */
            prompt_over: number | null;
            /** @description Null: no condition. */
            quality: string[] | null;
            /** @description Null: no condition. */
            size: string[] | null;
            /** @description Null: no condition. */
            speed: string[] | null;
            /** @description Null: no condition. */
            tier: string[] | null;
            /** @description Conditions on the time. Null: at any time. */
            time: string | null;
        };
        PriceDifference: {
            /** @description USD per 1M tokens, a decimal string. */
            after: string;
            /** @description Null: not listed. */
            before: string | null;
            /**
             * @description The channel that served the request.
             * @enum {string}
             */
            channel: "direct" | "stable" | "economical";
            /** @enum {string} */
            key: "input" | "output" | "cache_read" | "cache_write" | "cache_write_1h" | "reasoning" | "audio_input" | "audio_output" | "image_input" | "image_output";
            /** @description The id of the model. */
            model: string;
            /** @description Whether the data has other prices of the model, such as for long prompts. */
            more: boolean;
            /** @description The change, such as `-12.5`. */
            percent: string | null;
            /** @description The note to write as `source` of the price. */
            source: string;
            /** @description Why a person should decide: a large jump, a price that was not listed, or a price with conditions. Null: it need not wait. */
            waits: ("jump" | "new" | "conditions") | null;
        };
        PricePreview: {
            /** @description The entries of the page. */
            data: components["schemas"]["PreviewedUsage"][];
            /**
             * Format: date
             * @description The first day (UTC).
             */
            from: string;
            /** @description The other requests of the same models and channels. */
            not_repriced: {
                /**
                 * @description What they were charged, in USD, each converted at the rate of its time.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                earned: string;
                /** @description The number of requests. */
                requests: number;
            };
            /** @description The requests that the new prices can be computed for, exactly. */
            repriced: {
                /**
                 * @description `proposed` less `earned`.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                difference: string;
                /**
                 * @description What they were charged, in USD, each converted at the rate of its time.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                earned: string;
                /** @description The difference, such as `+8.8`; null if nothing was earned. */
                percent: string | null;
                /**
                 * @description What the same requests come to at the new prices, in USD. Requests that their wallet could not pay for count in full.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                proposed: string;
                /** @description The number of requests. */
                requests: number;
            };
            /**
             * Format: date
             * @description The last day (UTC), included: today.
             */
            to: string;
        };
        PriceTerms: {
            /** @description What a request may ask for. */
            accepts: {
                /** @description Where requests are served. */
                geo: string[];
                /** @description How fast the request is served, if the price card sells it. */
                speed: string[];
                /** @description The service tiers. */
                tier: string[];
                /** @description The tools of the provider that a request may ask for. */
                tools: ("request" | "web_search" | "web_fetch" | "file_search" | "code_execution" | "x_search" | "maps")[];
            };
            /** @description Per use. */
            fees: {
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                fee: string;
                /**
                 * @description What the price is for.
                 * @enum {string}
                 */
                unit: "request" | "web_search" | "web_fetch" | "file_search" | "code_execution" | "x_search" | "maps";
            }[];
            /** @description What conditions call it; the first is served by default. */
            offers: {
                /** @description Where requests are served. */
                geo: string[];
                /** @description The qualities. */
                quality: string[];
                /** @description The sizes. */
                size: string[];
                /** @description How fast the request is served, if the price card sells it. */
                speed: string[];
                /** @description The service tiers. */
                tier: string[];
            };
            /** @description The last row whose conditions hold is charged, else `price`. */
            rows: {
                /** @description Audio in the prompt. */
                audio_input: string | null;
                /** @description Audio in the answer. */
                audio_output: string | null;
                /** @description Tokens read from the prompt cache. */
                cache_read: string | null;
                /** @description Tokens written to the prompt cache for five minutes. */
                cache_write: string | null;
                /** @description Tokens written to the prompt cache for one hour. */
                cache_write_1h: string | null;
                conditions: components["schemas"]["PriceConditions"];
                /** @description Images in the prompt. */
                image_input: string | null;
                /** @description Images in the answer. */
                image_output: string | null;
                /** @description The price of the prompt. */
                input: string | null;
                /** @description The price of the answer. */
                output: string | null;
                /** @description Tokens of reasoning. */
                reasoning: string | null;
                /** @description False: not sold under these conditions. */
                sold: boolean;
                /**
                 * @description Conditions that must all hold; empty: always.
                 * @example tier: priority, prompt_over: 272000
                 */
                when: string;
            }[];
            /** @description Of `hours` and `days`. */
            time_zone: string;
            /** @description Multiples of all prices. */
            times: {
                conditions: components["schemas"]["PriceConditions"];
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                multiple: string;
                /**
                 * @description What the multiple applies to.
                 * @enum {string}
                 */
                of: "tokens" | "fees";
                /**
                 * @description Conditions that must all hold; empty: always.
                 * @example tier: priority, prompt_over: 272000
                 */
                when: string;
            }[];
        };
        Profile: {
            account: {
                /** @description The id. */
                id: string;
                /** @description The name. */
                name: string;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            email: string;
            /** @description The id. */
            id: string;
            /** @description The name. */
            name: string;
            recovery_codes_left: number;
            /**
             * @description Who speaks: `system`, `user`, `assistant` or `tool`.
             * @enum {string}
             */
            role: "read_only" | "member" | "owner" | "administrator";
            totp_enabled: boolean;
            totp_required: boolean;
        };
        PromptLogging: {
            /** @description Null for the whole account. */
            key_id: string | null;
            /** @description `admin`, or the id of a person. */
            set_by: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            since: string;
        };
        Provider: {
            /** @description The usual address, if it has one. */
            base_url: string | null;
            /** @enum {string} */
            make: "generic" | "openai" | "anthropic" | "deepseek" | "vllm" | "sglang" | "ollama" | "llama.cpp" | "litellm" | "openrouter" | "moonshot" | "xai" | "gemini" | "bedrock" | "modelgate";
            /** @description The name. */
            name: string;
            needs_key: boolean;
            /** @description Whether operators run it, usually in a private network. */
            own_server: boolean;
            /** @enum {string} */
            protocol: "openai" | "anthropic";
        };
        ProviderError: {
            /** @description The provider's own words, shortened, with its keys masked. */
            answer: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /** @description 1, 2, 3, …; 0 for an answer that broke off after it had begun. */
            attempt: number;
            /** @description The code of the error. */
            code: string;
            /** @description The id of the model. */
            model: string | null;
            upstream: string | null;
        };
        ProviderModel: {
            context_window: number | null;
            /** @description What the provider charges, if its list says so or the model is well known. */
            cost: {
                /** @description USD per 1M tokens, a decimal string. */
                input: string;
                /** @description USD per 1M tokens, a decimal string. */
                output: string;
                /** @description Where it was read; null: in the provider's list. */
                source: string | null;
            } | null;
            /** @description The provider's name of the model. */
            id: string;
            max_output: number | null;
            /** @description The name. */
            name: string | null;
            reads_images: boolean;
        };
        ProviderModels: {
            /** @description The entries of the page. */
            data: components["schemas"]["ProviderModel"][];
            /** @description Entries beyond 1000, without a usable id, or listed twice. */
            left_out: number;
            problem: components["schemas"]["ProviderProblem"];
        };
        /** @description Why there is no list. */
        ProviderProblem: {
            /**
             * @description The redeem code.
             * @enum {string}
             */
            code: "key" | "balance" | "rights" | "not_found" | "private_address" | "unresolved" | "unreachable" | "no_tls" | "certificate" | "timeout" | "redirect" | "not_a_list" | "too_large" | "empty" | "failed";
            /** @description The provider's words, without keys. */
            error: string | null;
            /** @description The problem and its remedy. */
            message: string;
        } | null;
        /** @description UTC days, today included. */
        RecentSpend: {
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            last_7_days: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            last_30_days: string;
            /**
             * @description The seven days before `last_7_days`.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            previous_7_days: string;
            /**
             * @description The 30 days before `last_30_days`.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            previous_30_days: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            today: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            yesterday: string;
        };
        /** @description Null where a number is unknown. */
        ReconciledSums: {
            /** @description Tokens read from the prompt cache. */
            cache_read: number | null;
            /** @description Tokens written to the prompt cache for five minutes. */
            cache_write: number | null;
            /** @description A decimal string in `currency`. */
            cost: string | null;
            /** @description The number of images. */
            images: number | null;
            /** @description The output. */
            output: number | null;
            /** @description All input tokens, those of the cache included. */
            prompt: number | null;
            /** @description The number of requests. */
            requests: number | null;
        };
        Reconciliation: {
            /** @description How many differences are beyond the tolerance. */
            beyond: number;
            billed: components["schemas"]["ReconciledSums"];
            /** @description How many pairs of day and model were compared. */
            compared: number;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            differences: {
                beyond: boolean;
                billed: components["schemas"]["ReconciledSums"];
                /** @enum {string} */
                cause: "only_provider" | "only_receipts" | "day_boundary" | "other_use" | "estimated" | "missing" | "card" | "apart";
                /**
                 * Format: date
                 * @description A day, UTC.
                 */
                day: string;
                /** @description How many receipts have estimated tokens. */
                estimated: number;
                /** @description The provider's model; null for fees billed apart from models. */
                model: string | null;
                receipts: components["schemas"]["ReconciledSums"];
            }[];
            /**
             * Format: date
             * @description A day, UTC.
             */
            from: string;
            receipts: components["schemas"]["ReconciledSums"];
            /**
             * @description Where the data is: base64, an address or text.
             * @enum {string}
             */
            source: "report" | "csv";
            /**
             * Format: date
             * @description The last day, included.
             */
            to: string;
            /** @description In percent. */
            tolerance: string;
            /** @description Models without a configured `cost` in this currency, whose money is not compared. */
            uncosted: string[];
            upstream: string;
        };
        Reconciliations: {
            /** @description The entries of the page. */
            data: components["schemas"]["Reconciliation"][];
        };
        RedeemBatch: {
            /**
             * @description The amount of one code.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /** @description Whether the caller disconnected. */
            cancelled: number;
            cancelled_at: string | null;
            /** @description How many. */
            count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description When the key expires; null: never. */
            expires_at: string | null;
            /** @description The id. */
            id: string;
            /** @description Why the balance changed; null: see the request. */
            reason: string;
            used: number;
        };
        RedeemCode: {
            /** @description The account that redeemed it. */
            account_id: string | null;
            account_name: string | null;
            /** @description The SHA-256 of the code, hexadecimal. */
            id: string;
            redeemed_at: string | null;
            /** @enum {string} */
            state: "open" | "redeemed" | "cancelled";
        };
        Redeemed: {
            /** @description Whether the code had been redeemed by this account before. */
            already_applied: boolean;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /**
             * @description What the wallet can afford now.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description The id. */
            id: string;
        };
        Refund: {
            /** @description Booked by an earlier request with this id, and not again. */
            already_applied: boolean;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /**
             * @description What the wallet can afford now.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description The id. */
            id: string;
            /**
             * @description The kind.
             * @constant
             */
            kind: "refund";
            /** @description The id of the request, as in the header `x-request-id`. */
            request_id: string;
        };
        Refusal: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /** @description The code of the error. */
            code: string;
            /** @description The endpoint that was called. */
            endpoint: ("chat" | "messages" | "responses" | "images" | "embeddings" | "count_tokens") | string;
            /** @description The id. */
            id: string;
            /** @description The API key. */
            key_id: string;
            /** @description What the caller was answered, without the prompt. */
            message: string;
            /** @description Null if the body could not be read. */
            model: string | null;
            /** @description The HTTP status of the answer. */
            status: number;
        };
        RefusalCount: {
            /** @description The code of the error. */
            code: string;
            /**
             * Format: date
             * @description A day, UTC.
             */
            date: string;
            /** @description All of them, also those that are not listed. */
            requests: number;
        };
        RequestDetails: {
            /**
             * Format: date-time
             * @description When it was settled.
             */
            at: string;
            /** @description In order. The last one served the request, if any did. */
            attempts: components["schemas"]["OwnAttempt"][];
            /** @description Tokens of audio in the prompt. */
            audio_input_tokens: number;
            /** @description Tokens of audio in the answer. */
            audio_output_tokens: number;
            /** @description Tokens read from the prompt cache. */
            cache_read_tokens: number;
            /** @description Tokens written to the prompt cache for one hour. */
            cache_write_1h_tokens: number;
            /** @description Tokens written to the prompt cache for five minutes. */
            cache_write_5m_tokens: number;
            /**
             * @description The channel that served the request.
             * @example direct
             * @example stable
             * @example economical
             */
            channel: string;
            /** @description The channel that the request named; null: none. */
            channel_requested: string | null;
            /**
             * @description The charge.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /** @description How the cost was calculated, line by line. */
            cost_details: components["schemas"]["CostDetails"];
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description Milliseconds from acceptance to the last byte. */
            duration_ms: number;
            /**
             * @description The endpoint that was called.
             * @enum {string}
             */
            endpoint: "chat" | "messages" | "responses" | "images" | "embeddings";
            /** @description What went wrong, as a stable code; null: nothing. */
            error_code: string | null;
            /** @description The gateway estimated the counts, since the provider reported none. */
            estimated: boolean;
            /** @description Why the answer ended. */
            finish_reason: string | null;
            /** @description Milliseconds to the first byte of the answer; null: none came. */
            first_byte_ms: number | null;
            /** @description The id of the exchange rate; null: no exchange. */
            fx_rate: string | null;
            /** @description The hold. What was not charged of it was released. */
            held: string | null;
            /** @description The id. */
            id: string;
            /** @description Tokens of images in the prompt. */
            image_input_tokens: number;
            /** @description Tokens of images in the answer. */
            image_output_tokens: number;
            /** @description The price of one image; null: not charged by the image. */
            image_price: string | null;
            /** @description The number of images. */
            images: number;
            /** @description Tokens of the prompt. */
            input_tokens: number;
            /** @description The API key. */
            key_id: string;
            /**
             * @description The part of the price that the wallet could not pay.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            /** @description How the tokens are known: reported by the provider, read on to its report after the client disconnected, or estimated by the text or by the time of generation. Null for images. */
            measure: ("reported" | "read_on" | "estimated" | "estimated_by_time") | null;
            /** @description The id of the model. */
            model: string;
            /**
             * @description How the request ended.
             * @enum {string}
             */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            /** @description Tokens of the answer. */
            output_tokens: number;
            /** @description The id of the price card. */
            price_card: string;
            /** @description Tokens of reasoning. */
            reasoning_tokens: number;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            refunded: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            started_at: string;
            /** @description Whether the answer was sent as events. */
            streamed: boolean;
        };
        RequestHistogram: {
            /**
             * @description Hours for a range of up to three days, otherwise days of `time_zone`.
             * @enum {string}
             */
            bucket: "hour" | "day";
            /** @description The entries of the page. */
            data: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                at: string;
                /** @description Requests that did not complete. */
                failed: number;
                /** @description The number of requests. */
                requests: number;
            }[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            to: string;
        };
        RequestRecord: {
            /**
             * Format: date-time
             * @description When it was settled.
             */
            at: string;
            /** @description Tokens of audio in the prompt. */
            audio_input_tokens: number;
            /** @description Tokens of audio in the answer. */
            audio_output_tokens: number;
            /** @description Tokens read from the prompt cache. */
            cache_read_tokens: number;
            /** @description Tokens written to the prompt cache for one hour. */
            cache_write_1h_tokens: number;
            /** @description Tokens written to the prompt cache for five minutes. */
            cache_write_5m_tokens: number;
            /**
             * @description The channel that served the request.
             * @example direct
             * @example stable
             * @example economical
             */
            channel: string;
            /** @description The channel that the request named; null: none. */
            channel_requested: string | null;
            /**
             * @description The charge.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description Milliseconds from acceptance to the last byte. */
            duration_ms: number;
            /**
             * @description The endpoint that was called.
             * @enum {string}
             */
            endpoint: "chat" | "messages" | "responses" | "images" | "embeddings";
            /** @description What went wrong, as a stable code; null: nothing. */
            error_code: string | null;
            /** @description The gateway estimated the counts, since the provider reported none. */
            estimated: boolean;
            /** @description Why the answer ended. */
            finish_reason: string | null;
            /** @description Milliseconds to the first byte of the answer; null: none came. */
            first_byte_ms: number | null;
            /** @description The id of the exchange rate; null: no exchange. */
            fx_rate: string | null;
            /** @description The id. */
            id: string;
            /** @description Tokens of images in the prompt. */
            image_input_tokens: number;
            /** @description Tokens of images in the answer. */
            image_output_tokens: number;
            /** @description The price of one image; null: not charged by the image. */
            image_price: string | null;
            /** @description The number of images. */
            images: number;
            /** @description Tokens of the prompt. */
            input_tokens: number;
            /** @description The API key. */
            key_id: string;
            /**
             * @description The part of the price that the wallet could not pay.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            /** @description How the tokens are known: reported by the provider, read on to its report after the client disconnected, or estimated by the text or by the time of generation. Null for images. */
            measure: ("reported" | "read_on" | "estimated" | "estimated_by_time") | null;
            /** @description The id of the model. */
            model: string;
            /**
             * @description How the request ended.
             * @enum {string}
             */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            /** @description Tokens of the answer. */
            output_tokens: number;
            /** @description The id of the price card. */
            price_card: string;
            /** @description Tokens of reasoning. */
            reasoning_tokens: number;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            refunded: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            started_at: string;
            /** @description Whether the answer was sent as events. */
            streamed: boolean;
        };
        Response: {
            /** @description Seconds since 1970. */
            created_at: number;
            /** @description The id. */
            id: string;
            /** @description The id of the model. */
            model: string;
            /** @constant */
            object: "response";
            /** @description The output. */
            output: ({
                /** @description The kind of entry. */
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            /**
             * @description The state.
             * @enum {string}
             */
            status: "completed" | "incomplete" | "failed";
            /**
             * @description Answers are never stored.
             * @constant
             */
            store: false;
            /** @description The tokens and the cost. */
            usage: {
                /** @description The charge in USD, for people and charts. */
                cost: number;
                /**
                 * @description The currency of the cost.
                 * @enum {string}
                 */
                cost_currency: "USD" | "CNY";
                /**
                 * @description Present if the provider reported no usage: the counts are estimates, as charged.
                 * @constant
                 */
                cost_estimated?: true;
                /**
                 * @description The charge, a decimal string.
                 * @example 0.000123400
                 */
                cost_exact: string;
                /** @description Tokens of the prompt. */
                input_tokens: number;
                /** @description Tokens of the answer. */
                output_tokens: number;
                /** @description Tokens of prompt and answer together. */
                total_tokens: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        RouteHealth: {
            /**
             * @description The channel that served the request.
             * @enum {string}
             */
            channel: "direct" | "stable" | "economical";
            /** @description Attempts that ended in the last five minutes, without those whose caller disconnected. */
            ended: number;
            /** @description Time to the first byte in the last five minutes. */
            first_byte_ms: {
                p50: number;
                p95: number;
            } | null;
            in_flight: number;
            /** @description Since this process started. */
            last_failure: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                at: string;
                /** @description The exact cause, without keys. */
                cause: string | null;
                /** @description The redeem code. */
                code: string;
            } | null;
            /** @description The id of the model. */
            model: string;
            /** @description Set by an operator, in force on all nodes; null: in service. */
            out_of_service: components["schemas"]["OutOfService"] | null;
            /** @description Time until the next attempt; 0: now. */
            retry_in_ms: number;
            /** @description When it began; null: since this process started. */
            since: string | null;
            /**
             * @description The circuit breaker. closed: in use. open: failing, not used. half_open: a few requests test it. cooling: it asked for a pause (429).
             * @enum {string}
             */
            standing: "closed" | "half_open" | "open" | "cooling";
            /** @description Share of these, 0 to 1. */
            success_rate: number | null;
            /** @description Its configured name. */
            upstream: string;
            upstream_model: string;
            weight: number;
        };
        RouteStateChange: {
            /** @description null: all routes of the upstream. */
            model: string | null;
            /** @description null: not by itself. */
            return_at: string | null;
            /** @enum {string} */
            state: "enabled" | "drained" | "disabled";
            /** @description Channels whose last route in service this takes out. */
            stops: components["schemas"]["StoppedChannel"][];
            upstream: string;
        };
        Secret: {
            /** @description The last four characters of a long value. */
            last_four: string | null;
            /** @description The name. */
            name: string;
            /** @description Why a setting has no value, and the remedy. */
            problem: string | null;
            set_at: string | null;
            /** @description `admin`, or the id of a person. */
            set_by: string | null;
            set_by_name: string | null;
            /**
             * @description unreadable: this node's keys do not decrypt it; enter it again. unset: a setting refers to it, but it was never entered.
             * @enum {string}
             */
            state: "ready" | "unreadable" | "unset";
            /** @description The settings that refer to it, such as `upstreams.openai.api_key`. */
            used_by: string[];
        };
        SecretRotation: {
            /** @description Encrypted under this key before. */
            current: string[];
            /** @description The key that encrypts from now on. */
            key_id: string;
            /** @description Encrypted under this key now. */
            rotated: string[];
            /** @description Unchanged. Enter these again. */
            unreadable: string[];
        };
        Session: {
            address: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            current: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            /** @description The id. */
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            last_seen_at: string;
            user_agent: string | null;
        };
        SessionState: {
            brand: {
                announcement: {
                    dismissible: boolean;
                    /** @enum {string} */
                    level: "info" | "warning";
                    /** @description The text. */
                    text: {
                        en: string;
                        zh: string | null;
                    };
                } | null;
                pages: ("terms" | "privacy")[];
                support_url: string | null;
            };
            password_max_length: number;
            password_min_length: number;
            person: components["schemas"]["Person"] | null;
            public_url: string;
            setup_needed: boolean;
            /** @enum {string} */
            sign_up: "closed" | "open";
        };
        Setting: {
            /** @description Its path in the file, such as `limits.drain`. */
            name: string;
            /** @description `default`, `modelgate.yaml:3`, `environment PORT` or `flag --config`. */
            source: string;
            /** @description A secret is `***`; `-` is empty. */
            value: string;
        };
        SettingField: {
            /** @description It was changed since this node started, which still has the earlier value. */
            awaits_restart: boolean;
            /** @description The allowed values of a choice. */
            choices: string[];
            /** @description In force while `value` is null. Null: none. */
            default: string | number | boolean | null;
            /** @description The path in the configuration, such as `limits` and `drain`. */
            keys: string[];
            /** @description The largest value, as it is written. */
            maximum: string | null;
            /** @description The smallest value, as it is written. */
            minimum: string | null;
            /** @description Nodes read it only when they start. */
            needs_restart: boolean;
            /** @description The setting exists only while another one has this value. */
            only_if: {
                keys: string[];
                value: string;
            } | null;
            /**
             * @description The form of the value.
             * @enum {string}
             */
            type: "boolean" | "choice" | "integer" | "decimal" | "duration" | "size" | "text" | "secret";
            /** @description As the configuration has it; a secret is `***`. Null: not written. */
            value: string | number | boolean | null;
        };
        SignedIn: {
            person: components["schemas"]["Person"] | null;
            totp_needed: boolean;
        };
        Spend: {
            day: components["schemas"]["SpendWindow"];
            month: components["schemas"]["SpendWindow"];
            total: components["schemas"]["SpendWindow"];
            week: components["schemas"]["SpendWindow"];
        };
        /** @description In USD; `remaining` is null without a cap. */
        SpendWindow: {
            /** @description What is left. */
            remaining: string | null;
            /** @description When the period starts again. */
            resets_at: string | null;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            spent: string;
        };
        Spent: {
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            this_month: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            this_week: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            today: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            total: string;
        };
        StoppedChannel: {
            /**
             * @description The channel that served the request.
             * @enum {string}
             */
            channel: "direct" | "stable" | "economical";
            /** @description The default channel, which serves these requests at its price if the caller allows it; null: they are refused with 503. */
            fallback: ("direct" | "stable" | "economical") | null;
            /** @description The id of the model. */
            model: string;
        };
        TokenCount: {
            /** @description How earlier parts of a long conversation are dropped. */
            context_management?: {
                /** @description Tokens of the prompt before edits of the context. */
                original_input_tokens: number;
            };
            /** @description Tokens of the prompt. */
            input_tokens: number;
        };
        TopUp: {
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description The id. */
            id: string;
            /**
             * @description The state.
             * @enum {string}
             */
            status: "open" | "pending" | "paid" | "failed" | "expired" | "review";
            /** @description Where to pay; null when it is no longer open. */
            url: string | null;
        };
        TotpSetup: {
            otpauth_uri: string;
            recovery_codes: string[];
            secret: string;
        };
        UnmatchedPrice: {
            /**
             * @description The channel that served the request.
             * @enum {string}
             */
            channel: "direct" | "stable" | "economical";
            /** @description The id of the model. */
            model: string;
            /**
             * @description No route leads to a provider of the data; the data does not list the model; it is sold by the image; or a price has more than 6 decimals.
             * @enum {string}
             */
            reason: "no_provider" | "not_listed" | "per_image" | "inexact";
        };
        UpcomingPrice: {
            /**
             * Format: date-time
             * @description Requests admitted from then on pay it.
             */
            effective_from: string;
            price: components["schemas"]["Price"];
            /** @description The id of the price card. */
            price_card: string;
            /** @description Null: the price depends on token counts alone. */
            price_terms: components["schemas"]["PriceTerms"] | null;
        };
        UpstreamCheck: {
            /** @description The upstream's message, without keys. */
            error: string | null;
            /** @description From the request to the first byte of the answer. */
            first_byte_ms: number | null;
            /**
             * @description The form of the output.
             * @enum {string}
             */
            format: "chat" | "messages" | "responses";
            ok: boolean;
            /** @description The problem and its remedy. */
            problem: string | null;
            /** @description The state. */
            status: number | null;
            /** @description From the request to the status line. */
            status_ms: number | null;
            /** @description As read from the answer; each token is counted once. */
            usage: {
                /** @description Tokens read from the prompt cache. */
                cache_read_tokens: number;
                cache_write_tokens: number;
                /** @description Tokens of the prompt. */
                input_tokens: number;
                /** @description Tokens of the answer. */
                output_tokens: number;
            } | null;
        };
        UpstreamTest: {
            checks: components["schemas"]["UpstreamCheck"][];
            /** @description The upstream's model name. */
            model: string;
            ok: boolean;
            /** @description In force for this model, by their configured names. */
            quirks: {
                [key: string]: unknown;
            };
            upstream: string;
        };
        /** @description Dimensions that are not grouped by are null. */
        UsageRow: {
            /** @description Tokens of audio in the prompt. */
            audio_input_tokens: number;
            /** @description Tokens of audio in the answer. */
            audio_output_tokens: number;
            /** @description Tokens read from the prompt cache. */
            cache_read_tokens: number;
            /** @description Tokens written to the prompt cache for one hour. */
            cache_write_1h_tokens: number;
            /** @description Tokens written to the prompt cache for five minutes. */
            cache_write_5m_tokens: number;
            /** @description The channel that served the request. */
            channel: string | null;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            charge: string;
            /**
             * @description The charge, converted at each request's own rate.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost_usd: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /** @description The day (UTC). */
            day: string | null;
            /** @description Tokens of images in the prompt. */
            image_input_tokens: number;
            /** @description Tokens of images in the answer. */
            image_output_tokens: number;
            /** @description The number of images. */
            images: number;
            /** @description Requests that did not complete. */
            incomplete: number;
            /** @description Tokens of the prompt. */
            input_tokens: number;
            /** @description The API key. */
            key_id: string | null;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            /** @description The id of the model. */
            model: string | null;
            /** @description Tokens of the answer. */
            output_tokens: number;
            /** @description Tokens of reasoning. */
            reasoning_tokens: number;
            /** @description The number of requests. */
            requests: number;
        };
        Wallet: {
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            balance: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            credit_limit: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            held: string;
        };
        WatchedWallet: {
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            balance: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            credit_limit: string;
            /**
             * @description The currency: USD or CNY.
             * @enum {string}
             */
            currency: "USD" | "CNY";
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            held: string;
            is_low: boolean;
            /** @description Null: no threshold. */
            low_below: string | null;
        };
        WindowsReset: {
            /** @description The number of keys and accounts. */
            changed: number;
            /**
             * Format: date-time
             * @description The time by which windows were in the future.
             */
            now: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The limit a minute, in requests. Only when the key has such a limit. */
        "anthropic-ratelimit-requests-limit": string;
        /** @description What is left of the limit, in requests. Only when the key has such a limit. */
        "anthropic-ratelimit-requests-remaining": string;
        /** @description When the limit is whole again, in requests. Only when the key has such a limit. */
        "anthropic-ratelimit-requests-reset": string;
        /** @description The limit a minute, in tokens. Only when the key has such a limit. */
        "anthropic-ratelimit-tokens-limit": string;
        /** @description What is left of the limit, in tokens. Only when the key has such a limit. */
        "anthropic-ratelimit-tokens-remaining": string;
        /** @description When the limit is whole again, in tokens. Only when the key has such a limit. */
        "anthropic-ratelimit-tokens-reset": string;
        /** @description `true` if this is the stored answer of an earlier request. */
        "idempotency-replayed": string;
        /** @description The same id, where Anthropic clients look for it. */
        "request-id": string;
        /** @description Seconds to wait before a retry. */
        "retry-after": string;
        /** @description The channels that were tried, each with its result. */
        "x-attempts": string;
        /** @description The channel that served the request. */
        "x-channel": string;
        /** @description The channel as the request named it. */
        "x-channel-requested": string;
        /** @description The charge and its currency. Non-streaming answers only. */
        "x-cost": string;
        /** @description `true` if the token count is an estimate. */
        "x-estimated": string;
        /** @description Fields of the request that were not sent to the provider. */
        "x-ignored-fields": string;
        /** @description When the image URLs of the answer expire. */
        "x-image-expires": string;
        /** @description The output limit, when the balance lowered it. */
        "x-max-output-tokens": string;
        /** @description The id of that earlier request. */
        "x-original-request-id": string;
        /** @description The id of the price card in force. */
        "x-price-card": string;
        /** @description The limit a minute, in requests. Only when the key has such a limit. */
        "x-ratelimit-limit-requests": string;
        /** @description The limit a minute, in tokens. Only when the key has such a limit. */
        "x-ratelimit-limit-tokens": string;
        /** @description What is left of the limit, in requests. Only when the key has such a limit. */
        "x-ratelimit-remaining-requests": string;
        /** @description What is left of the limit, in tokens. Only when the key has such a limit. */
        "x-ratelimit-remaining-tokens": string;
        /** @description When the limit is whole again, in requests. Only when the key has such a limit. */
        "x-ratelimit-reset-requests": string;
        /** @description When the limit is whole again, in tokens. Only when the key has such a limit. */
        "x-ratelimit-reset-tokens": string;
        /** @description The id of this request. */
        "x-request-id": string;
        /** @description `true` if the same request may succeed later, unchanged. */
        "x-should-retry": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

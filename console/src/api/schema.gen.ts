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
                            docs: string;
                            /** @constant */
                            name: "modelgate";
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
                    after?: string;
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
                            data: components["schemas"]["AccountEntry"][];
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
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        allow_exchange?: boolean;
                        expires_at?: string | null;
                        limits?: {
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            concurrency?: number | null;
                            ip_ranges?: string[] | null;
                            models?: string[] | null;
                            requests_per_minute?: number | null;
                            spend?: {
                                day?: string | null;
                                month?: string | null;
                                total?: string | null;
                                week?: string | null;
                            };
                            tokens_per_minute?: number | null;
                        };
                        name?: string;
                        /** @enum {string} */
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
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        amount: string;
                        /** @enum {string} */
                        currency: "USD" | "CNY";
                        id?: string;
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
                header?: never;
                path: {
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
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        amount: string;
                        /** @enum {string} */
                        currency: "USD" | "CNY";
                        id?: string;
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
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        amount: string;
                        /** @enum {string} */
                        currency: "USD" | "CNY";
                        id?: string;
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
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        amount: string;
                        /** @enum {string} */
                        from: "USD" | "CNY";
                        id?: string;
                        reason: string;
                        /** @enum {string} */
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
                    after?: string;
                    currency?: "USD" | "CNY";
                    format?: "json" | "csv";
                    from?: string;
                    kind?: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
                    limit?: number;
                    to?: string;
                };
                header?: never;
                path: {
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
                            data: components["schemas"]["Movement"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
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
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    limit?: number;
                    subject?: string;
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
                            data: components["schemas"]["AuditEntry"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
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
        /** What was charged, lost and paid in, by month and currency, oldest first */
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
                    after?: string;
                    channel?: string;
                    limit?: number;
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
                            data: components["schemas"]["PriceCard"][];
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
                    after?: string;
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
                            data: components["schemas"]["FxRate"][];
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
                    after?: string;
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
                            data: components["schemas"]["Invitation"][];
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
                        account_id?: string;
                        account_name?: string;
                        email?: string | null;
                        /** @enum {string} */
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
                    after?: string;
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
                            data: components["schemas"]["Key"][];
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
                        account_id: string;
                        expires_at?: string | null;
                        limits?: {
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            concurrency?: number | null;
                            ip_ranges?: string[] | null;
                            models?: string[] | null;
                            requests_per_minute?: number | null;
                            spend?: {
                                day?: string | null;
                                month?: string | null;
                                total?: string | null;
                                week?: string | null;
                            };
                            tokens_per_minute?: number | null;
                        };
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
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        expires_at?: string | null;
                        limits?: {
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            concurrency?: number | null;
                            ip_ranges?: string[] | null;
                            models?: string[] | null;
                            requests_per_minute?: number | null;
                            spend?: {
                                day?: string | null;
                                month?: string | null;
                                total?: string | null;
                                week?: string | null;
                            };
                            tokens_per_minute?: number | null;
                        };
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
                };
                path: {
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
                };
                path: {
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
                    after?: string;
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
                            data: components["schemas"]["Overrun"][];
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
                        /** @enum {string} */
                        currency?: "USD" | "CNY";
                        from?: string;
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
                    after?: string;
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
                            data: components["schemas"]["PaymentEvent"][];
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
        /** People of all accounts, oldest first; `search` finds part of an e-mail address */
        get: {
            parameters: {
                query?: {
                    account_id?: string;
                    after?: string;
                    email?: string;
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
                            data: components["schemas"]["Member"][];
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
        get?: never;
        put?: never;
        post?: never;
        /** Remove a person and end their sessions */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
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
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        account_id?: string;
                        /** @enum {string} */
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
    "/admin/v1/redeem-batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Batches of redeem codes, oldest first */
        get: {
            parameters: {
                query?: {
                    after?: string;
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
                            data: components["schemas"]["RedeemBatch"][];
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
                        count: number;
                        /** @enum {string} */
                        currency: "USD" | "CNY";
                        expires_at?: string | null;
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
                    after?: string;
                    channel?: string;
                    currency?: "USD" | "CNY";
                    format?: "json" | "csv";
                    from?: string;
                    id?: string;
                    key_id?: string;
                    limit?: number;
                    min_cost?: string;
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
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
                            data: components["schemas"]["AdminRequestRecord"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
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
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        amount: "all" | string;
                        id?: string;
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
                    channel?: string;
                    currency?: "USD" | "CNY";
                    from?: string;
                    id?: string;
                    key_id?: string;
                    min_cost?: string;
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
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
                            data: components["schemas"]["Setting"][];
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
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
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
                    after?: string;
                    channel?: string;
                    currency?: "USD" | "CNY";
                    format?: "json" | "csv";
                    from?: string;
                    group_by?: string;
                    key_id?: string;
                    limit?: number;
                    model?: string;
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
                            data: components["schemas"]["AdminUsageRow"][];
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            from: string;
                            group_by: ("day" | "account" | "model" | "key" | "channel")[];
                            next: string | null;
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            to: string;
                            /** @description One row a currency, over all pages. */
                            total: components["schemas"]["AdminUsageRow"][];
                        };
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
                header?: never;
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
                        audio?: {
                            [key: string]: unknown;
                        } | null;
                        frequency_penalty?: number | null;
                        function_call?: (string | ({
                            name: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        functions?: ({
                            description?: string | null;
                            name: string;
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            strict?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        })[] | null;
                        logit_bias?: {
                            [key: string]: number;
                        } | null;
                        logprobs?: boolean | null;
                        /** @description Most tokens each choice may have, reasoning included. */
                        max_completion_tokens?: number | null;
                        /** @description Older name of `max_completion_tokens`, which wins over it. */
                        max_tokens?: number | null;
                        messages: ({
                            content?: (string | (({
                                text: string;
                                /** @constant */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                image_url: {
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "image_url";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                file: {
                                    file_data?: string | null;
                                    file_id?: string | null;
                                    filename?: string | null;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                input_audio: {
                                    data: string;
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "video_url";
                                video_url: {
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                refusal: string;
                                /** @constant */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[]) | null;
                            name?: string | null;
                            /** @enum {string} */
                            role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
                            tool_call_id?: string | null;
                            tool_calls?: ({
                                function?: ({
                                    arguments: string;
                                    name: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                id: string;
                                type?: string | null;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        modalities?: string[] | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        moderation?: {
                            [key: string]: unknown;
                        } | null;
                        n?: number | null;
                        parallel_tool_calls?: boolean | null;
                        prediction?: {
                            [key: string]: unknown;
                        } | null;
                        presence_penalty?: number | null;
                        prompt_cache_key?: string | null;
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        prompt_cache_retention?: string | null;
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        reasoning_effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                        response_format?: ({
                            json_schema?: {
                                name: string;
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @enum {string} */
                            type: "text" | "json_object" | "json_schema";
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        safety_identifier?: string | null;
                        seed?: number | null;
                        service_tier?: string | null;
                        stop?: (string | string[]) | null;
                        store?: boolean | null;
                        /** @description true: an event stream. false or null: JSON. Omitted: a stream for callers that accept text/event-stream and for command-line tools, JSON for everyone else. */
                        stream?: boolean | null;
                        stream_options?: ({
                            include_obfuscation?: boolean | null;
                            include_usage?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        temperature?: number | null;
                        tool_choice?: (("none" | "auto" | "required") | ({
                            function: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            custom: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            allowed_tools: {
                                /** @enum {string} */
                                mode: "auto" | "required";
                                tools: {
                                    [key: string]: unknown;
                                }[];
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "allowed_tools";
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        tools?: (({
                            function: {
                                description?: string | null;
                                name: string;
                                parameters?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            custom: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        top_logprobs?: number | null;
                        top_p?: number | null;
                        user?: string | null;
                        verbosity?: ("low" | "medium" | "high") | null;
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
                    after?: string;
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
                            data: components["schemas"]["Invitation"][];
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
                        /** @enum {string} */
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
                    after?: string;
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
                            data: components["schemas"]["Key"][];
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
                        expires_at?: string | null;
                        limits?: {
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            concurrency?: number | null;
                            ip_ranges?: string[] | null;
                            models?: string[] | null;
                            requests_per_minute?: number | null;
                            spend?: {
                                day?: string | null;
                                month?: string | null;
                                total?: string | null;
                                week?: string | null;
                            };
                            tokens_per_minute?: number | null;
                        };
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
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        expires_at?: string | null;
                        limits?: {
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            concurrency?: number | null;
                            ip_ranges?: string[] | null;
                            models?: string[] | null;
                            requests_per_minute?: number | null;
                            spend?: {
                                day?: string | null;
                                month?: string | null;
                                total?: string | null;
                                week?: string | null;
                            };
                            tokens_per_minute?: number | null;
                        };
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
                };
                path: {
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
                };
                path: {
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
                    after?: string;
                    currency?: "USD" | "CNY";
                    format?: "json" | "csv";
                    from?: string;
                    kind?: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
                    limit?: number;
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
                            data: components["schemas"]["Movement"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
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
        /** The people of your account */
        get: {
            parameters: {
                query?: {
                    after?: string;
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
                            data: components["schemas"]["Member"][];
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
        get?: never;
        put?: never;
        post?: never;
        /** Remove a person and end their sessions */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
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
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
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
                            data: components["schemas"]["Model"][];
                            first_id: string | null;
                            has_more: boolean;
                            last_id: string | null;
                            /** @description For Codex, which asks with `client_version`. */
                            models?: ({
                                base_instructions: string;
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
                            data: components["schemas"]["Session"][];
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
                    id?: string;
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
                            /** @description The newest 200 of the account, without prompts. They are in the memory of the node that refused them, until it stops. */
                            data: components["schemas"]["Refusal"][];
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
                    after?: string;
                    channel?: string;
                    currency?: "USD" | "CNY";
                    format?: "json" | "csv";
                    from?: string;
                    id?: string;
                    key_id?: string;
                    limit?: number;
                    min_cost?: string;
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
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
                            data: components["schemas"]["RequestRecord"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
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
                    channel?: string;
                    currency?: "USD" | "CNY";
                    from?: string;
                    id?: string;
                    key_id?: string;
                    min_cost?: string;
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
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
                    format?: "json" | "csv";
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
                            data: components["schemas"]["MonthlyStatement"][];
                            /** @description False: not all movements are summed yet. Retry to continue. */
                            is_whole: boolean;
                            next: string | null;
                        };
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
                            /**
                             * @description down: every model is. degraded: some channel is. unknown: there is data of no channel.
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
                    after?: string;
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
                            data: components["schemas"]["TopUp"][];
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
                        amount: string;
                        /** @enum {string} */
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
                    after?: string;
                    channel?: string;
                    currency?: "USD" | "CNY";
                    format?: "json" | "csv";
                    from?: string;
                    group_by?: string;
                    key_id?: string;
                    limit?: number;
                    model?: string;
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
                            data: components["schemas"]["UsageRow"][];
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            from: string;
                            group_by: ("day" | "model" | "key" | "channel")[];
                            next: string | null;
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            to: string;
                            /** @description One row a currency, over all pages. */
                            total: components["schemas"]["UsageRow"][];
                        };
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
                    exp: string;
                    sig: string;
                };
                header?: never;
                path: {
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
                            /** @constant */
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
                            /** @constant */
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
                            /**
                             * @description down: every model is. degraded: some channel is. unknown: there is data of no channel.
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
                        audio?: {
                            [key: string]: unknown;
                        } | null;
                        frequency_penalty?: number | null;
                        function_call?: (string | ({
                            name: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        functions?: ({
                            description?: string | null;
                            name: string;
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            strict?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        })[] | null;
                        logit_bias?: {
                            [key: string]: number;
                        } | null;
                        logprobs?: boolean | null;
                        /** @description Most tokens each choice may have, reasoning included. */
                        max_completion_tokens?: number | null;
                        /** @description Older name of `max_completion_tokens`, which wins over it. */
                        max_tokens?: number | null;
                        messages: ({
                            content?: (string | (({
                                text: string;
                                /** @constant */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                image_url: {
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "image_url";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                file: {
                                    file_data?: string | null;
                                    file_id?: string | null;
                                    filename?: string | null;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                input_audio: {
                                    data: string;
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "video_url";
                                video_url: {
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                refusal: string;
                                /** @constant */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[]) | null;
                            name?: string | null;
                            /** @enum {string} */
                            role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
                            tool_call_id?: string | null;
                            tool_calls?: ({
                                function?: ({
                                    arguments: string;
                                    name: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                id: string;
                                type?: string | null;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        modalities?: string[] | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        moderation?: {
                            [key: string]: unknown;
                        } | null;
                        n?: number | null;
                        parallel_tool_calls?: boolean | null;
                        prediction?: {
                            [key: string]: unknown;
                        } | null;
                        presence_penalty?: number | null;
                        prompt_cache_key?: string | null;
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        prompt_cache_retention?: string | null;
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        reasoning_effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                        response_format?: ({
                            json_schema?: {
                                name: string;
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @enum {string} */
                            type: "text" | "json_object" | "json_schema";
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        safety_identifier?: string | null;
                        seed?: number | null;
                        service_tier?: string | null;
                        stop?: (string | string[]) | null;
                        store?: boolean | null;
                        /** @description true: an event stream. false or null: JSON. Omitted: a stream for callers that accept text/event-stream and for command-line tools, JSON for everyone else. */
                        stream?: boolean | null;
                        stream_options?: ({
                            include_obfuscation?: boolean | null;
                            include_usage?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        temperature?: number | null;
                        tool_choice?: (("none" | "auto" | "required") | ({
                            function: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            custom: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            allowed_tools: {
                                /** @enum {string} */
                                mode: "auto" | "required";
                                tools: {
                                    [key: string]: unknown;
                                }[];
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "allowed_tools";
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        tools?: (({
                            function: {
                                description?: string | null;
                                name: string;
                                parameters?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            custom: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        top_logprobs?: number | null;
                        top_p?: number | null;
                        user?: string | null;
                        verbosity?: ("low" | "medium" | "high") | null;
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
                    after?: string;
                    currency?: "USD" | "CNY";
                    format?: "json" | "csv";
                    from?: string;
                    kind?: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
                    limit?: number;
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
                            data: components["schemas"]["Movement"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
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
                        cache_control?: ({
                            ttl?: ("5m" | "1h") | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        compaction?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        container?: (string | {
                            [key: string]: unknown;
                        }) | null;
                        context_management?: ({
                            edits?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        diagnostics?: {
                            [key: string]: unknown;
                        } | null;
                        inference_geo?: string | null;
                        max_tokens: number;
                        mcp_servers?: {
                            [key: string]: unknown;
                        }[] | null;
                        messages: ({
                            content?: string | (({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                text: string;
                                /** @constant */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                context?: string | null;
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                title?: string | null;
                                /** @constant */
                                type: "document";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                id: string;
                                input: {
                                    [key: string]: unknown;
                                };
                                name: string;
                                /** @constant */
                                type: "tool_use";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                is_error?: boolean | null;
                                tool_use_id: string;
                                /** @constant */
                                type: "tool_result";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                signature: string;
                                thinking: string;
                                /** @constant */
                                type: "thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                data: string;
                                /** @constant */
                                type: "redacted_thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            output_config?: ({
                                effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @enum {string} */
                            role: "user" | "assistant" | "system";
                        } & {
                            [key: string]: unknown;
                        })[];
                        metadata?: ({
                            user_id?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        model: string;
                        output_config?: ({
                            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            format?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            task_budget?: ({
                                remaining?: number | null;
                                total: number;
                                /** @constant */
                                type: "tokens";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        output_format?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        service_tier?: string | null;
                        speed?: string | null;
                        stop_sequences?: string[] | null;
                        stream?: boolean | null;
                        system?: (string | (({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            text: string;
                            /** @constant */
                            type: "text";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "image";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            context?: string | null;
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            title?: string | null;
                            /** @constant */
                            type: "document";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            id: string;
                            input: {
                                [key: string]: unknown;
                            };
                            name: string;
                            /** @constant */
                            type: "tool_use";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            is_error?: boolean | null;
                            tool_use_id: string;
                            /** @constant */
                            type: "tool_result";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            signature: string;
                            thinking: string;
                            /** @constant */
                            type: "thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            data: string;
                            /** @constant */
                            type: "redacted_thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[]) | null;
                        temperature?: number | null;
                        thinking?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tool_choice?: ({
                            disable_parallel_tool_use?: boolean | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tools?: (({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            description?: string | null;
                            input_schema: {
                                [key: string]: unknown;
                            };
                            name: string;
                            type?: "custom" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        top_k?: number | null;
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
                        cache_control?: ({
                            ttl?: ("5m" | "1h") | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        context_management?: ({
                            edits?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        mcp_servers?: {
                            [key: string]: unknown;
                        }[] | null;
                        messages: ({
                            content?: string | (({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                text: string;
                                /** @constant */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                context?: string | null;
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                title?: string | null;
                                /** @constant */
                                type: "document";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                id: string;
                                input: {
                                    [key: string]: unknown;
                                };
                                name: string;
                                /** @constant */
                                type: "tool_use";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                is_error?: boolean | null;
                                tool_use_id: string;
                                /** @constant */
                                type: "tool_result";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                signature: string;
                                thinking: string;
                                /** @constant */
                                type: "thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                data: string;
                                /** @constant */
                                type: "redacted_thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            output_config?: ({
                                effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @enum {string} */
                            role: "user" | "assistant" | "system";
                        } & {
                            [key: string]: unknown;
                        })[];
                        model: string;
                        output_config?: ({
                            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            format?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            task_budget?: ({
                                remaining?: number | null;
                                total: number;
                                /** @constant */
                                type: "tokens";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        system?: (string | (({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            text: string;
                            /** @constant */
                            type: "text";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "image";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            context?: string | null;
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            title?: string | null;
                            /** @constant */
                            type: "document";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            id: string;
                            input: {
                                [key: string]: unknown;
                            };
                            name: string;
                            /** @constant */
                            type: "tool_use";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            is_error?: boolean | null;
                            tool_use_id: string;
                            /** @constant */
                            type: "tool_result";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            signature: string;
                            thinking: string;
                            /** @constant */
                            type: "thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            data: string;
                            /** @constant */
                            type: "redacted_thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[]) | null;
                        thinking?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tool_choice?: ({
                            disable_parallel_tool_use?: boolean | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tools?: (({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            description?: string | null;
                            input_schema: {
                                [key: string]: unknown;
                            };
                            name: string;
                            type?: "custom" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
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
                    after_id?: string;
                    before_id?: string;
                    client_version?: string;
                    lifecycle?: ("active" | "deprecated" | "retired")[];
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
                            data: components["schemas"]["Model"][];
                            first_id: string | null;
                            has_more: boolean;
                            last_id: string | null;
                            /** @description For Codex, which asks with `client_version`. */
                            models?: ({
                                base_instructions: string;
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
                    after?: string;
                    channel?: string;
                    currency?: "USD" | "CNY";
                    format?: "json" | "csv";
                    from?: string;
                    id?: string;
                    key_id?: string;
                    limit?: number;
                    min_cost?: string;
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
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
                            data: components["schemas"]["RequestRecord"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
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
                    channel?: string;
                    currency?: "USD" | "CNY";
                    from?: string;
                    id?: string;
                    key_id?: string;
                    min_cost?: string;
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
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
                        background?: boolean | null;
                        client_metadata?: {
                            [key: string]: unknown;
                        } | null;
                        context_management?: {
                            [key: string]: unknown;
                        }[] | null;
                        include?: string[] | null;
                        input: string | (({
                            content: string | (({
                                text: string;
                                /** @constant */
                                type: "input_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                text: string;
                                /** @constant */
                                type: "output_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                refusal: string;
                                /** @constant */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                detail?: string | null;
                                file_id?: string | null;
                                image_url?: string | null;
                                /** @constant */
                                type: "input_image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                file_data?: string | null;
                                file_id?: string | null;
                                file_url?: string | null;
                                filename?: string | null;
                                /** @constant */
                                type: "input_file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                input_audio: {
                                    data: string;
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            id?: string | null;
                            /** @enum {string} */
                            role: "user" | "assistant" | "system" | "developer";
                            type?: "message" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            arguments: string;
                            call_id: string;
                            id?: string | null;
                            name: string;
                            namespace?: string | null;
                            /** @constant */
                            type: "function_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            call_id: string;
                            id?: string | null;
                            /** @constant */
                            type: "function_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            call_id: string;
                            id?: string | null;
                            input: string;
                            name: string;
                            namespace?: string | null;
                            /** @constant */
                            type: "custom_tool_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            call_id: string;
                            id?: string | null;
                            /** @constant */
                            type: "custom_tool_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            content?: unknown[] | null;
                            encrypted_content?: string | null;
                            id?: string | null;
                            summary?: unknown[] | null;
                            /** @constant */
                            type: "reasoning";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            encrypted_content: string;
                            id?: string | null;
                            /** @constant */
                            type: "compaction";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            id?: string | null;
                            tools: unknown[];
                            /** @constant */
                            type: "additional_tools";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            id?: string | null;
                            tools: unknown[];
                            /** @constant */
                            type: "tool_search_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[];
                        instructions?: string | null;
                        /** @description Most tokens the answer may have, reasoning included. */
                        max_output_tokens?: number | null;
                        /** @description Most calls of the provider's own tools. */
                        max_tool_calls?: number | null;
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        parallel_tool_calls?: boolean | null;
                        previous_response_id?: string | null;
                        prompt_cache_key?: string | null;
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        prompt_cache_retention?: string | null;
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        reasoning?: ({
                            effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                            generate_summary?: string | null;
                            mode?: string | null;
                            summary?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        safety_identifier?: string | null;
                        service_tier?: string | null;
                        /** @description Answers are never stored, and each says "store": false. */
                        store?: boolean | null;
                        /** @description true: an event stream. Otherwise JSON. */
                        stream?: boolean | null;
                        stream_options?: ({
                            include_obfuscation?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        temperature?: number | null;
                        text?: ({
                            format?: ({
                                name?: string | null;
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                                /** @enum {string} */
                                type: "text" | "json_object" | "json_schema";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            verbosity?: ("low" | "medium" | "high") | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tool_choice?: (("none" | "auto" | "required") | ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        tools?: (({
                            description?: string | null;
                            name: string;
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            strict?: boolean | null;
                            /** @constant */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            description?: string | null;
                            format?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            name: string;
                            /** @constant */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            description?: string | null;
                            name: string;
                            tools: unknown[];
                            /** @constant */
                            type: "namespace";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        top_logprobs?: number | null;
                        top_p?: number | null;
                        truncation?: string | null;
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
                        background?: boolean | null;
                        client_metadata?: {
                            [key: string]: unknown;
                        } | null;
                        context_management?: {
                            [key: string]: unknown;
                        }[] | null;
                        include?: string[] | null;
                        input: string | (({
                            content: string | (({
                                text: string;
                                /** @constant */
                                type: "input_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                text: string;
                                /** @constant */
                                type: "output_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                refusal: string;
                                /** @constant */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                detail?: string | null;
                                file_id?: string | null;
                                image_url?: string | null;
                                /** @constant */
                                type: "input_image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                file_data?: string | null;
                                file_id?: string | null;
                                file_url?: string | null;
                                filename?: string | null;
                                /** @constant */
                                type: "input_file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                input_audio: {
                                    data: string;
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            id?: string | null;
                            /** @enum {string} */
                            role: "user" | "assistant" | "system" | "developer";
                            type?: "message" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            arguments: string;
                            call_id: string;
                            id?: string | null;
                            name: string;
                            namespace?: string | null;
                            /** @constant */
                            type: "function_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            call_id: string;
                            id?: string | null;
                            /** @constant */
                            type: "function_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            call_id: string;
                            id?: string | null;
                            input: string;
                            name: string;
                            namespace?: string | null;
                            /** @constant */
                            type: "custom_tool_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            call_id: string;
                            id?: string | null;
                            /** @constant */
                            type: "custom_tool_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            content?: unknown[] | null;
                            encrypted_content?: string | null;
                            id?: string | null;
                            summary?: unknown[] | null;
                            /** @constant */
                            type: "reasoning";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            encrypted_content: string;
                            id?: string | null;
                            /** @constant */
                            type: "compaction";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            id?: string | null;
                            tools: unknown[];
                            /** @constant */
                            type: "additional_tools";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            id?: string | null;
                            tools: unknown[];
                            /** @constant */
                            type: "tool_search_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[];
                        instructions?: string | null;
                        /** @description Most tokens the answer may have, reasoning included. */
                        max_output_tokens?: number | null;
                        /** @description Most calls of the provider's own tools. */
                        max_tool_calls?: number | null;
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        parallel_tool_calls?: boolean | null;
                        previous_response_id?: string | null;
                        prompt_cache_key?: string | null;
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        prompt_cache_retention?: string | null;
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        reasoning?: ({
                            effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                            generate_summary?: string | null;
                            mode?: string | null;
                            summary?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        safety_identifier?: string | null;
                        service_tier?: string | null;
                        /** @description Answers are never stored, and each says "store": false. */
                        store?: boolean | null;
                        /** @description true: an event stream. Otherwise JSON. */
                        stream?: boolean | null;
                        stream_options?: ({
                            include_obfuscation?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        temperature?: number | null;
                        text?: ({
                            format?: ({
                                name?: string | null;
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                                /** @enum {string} */
                                type: "text" | "json_object" | "json_schema";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            verbosity?: ("low" | "medium" | "high") | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tool_choice?: (("none" | "auto" | "required") | ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        tools?: (({
                            description?: string | null;
                            name: string;
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            strict?: boolean | null;
                            /** @constant */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            description?: string | null;
                            format?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            name: string;
                            /** @constant */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            description?: string | null;
                            name: string;
                            tools: unknown[];
                            /** @constant */
                            type: "namespace";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        top_logprobs?: number | null;
                        top_p?: number | null;
                        truncation?: string | null;
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
                    format?: "json" | "csv";
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
                            data: components["schemas"]["MonthlyStatement"][];
                            /** @description False: not all movements are summed yet. Retry to continue. */
                            is_whole: boolean;
                            next: string | null;
                        };
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
                    after?: string;
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
                            data: components["schemas"]["TopUp"][];
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
                        amount: string;
                        /** @enum {string} */
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
                    after?: string;
                    channel?: string;
                    currency?: "USD" | "CNY";
                    format?: "json" | "csv";
                    from?: string;
                    group_by?: string;
                    key_id?: string;
                    limit?: number;
                    model?: string;
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
                            data: components["schemas"]["UsageRow"][];
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            from: string;
                            group_by: ("day" | "model" | "key" | "channel")[];
                            next: string | null;
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            to: string;
                            /** @description One row a currency, over all pages. */
                            total: components["schemas"]["UsageRow"][];
                        };
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
                    call: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        contents: Record<string, never>[];
                        generationConfig?: Record<string, never>;
                        systemInstruction?: Record<string, never>;
                        toolConfig?: Record<string, never>;
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
                        audio?: {
                            [key: string]: unknown;
                        } | null;
                        frequency_penalty?: number | null;
                        function_call?: (string | ({
                            name: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        functions?: ({
                            description?: string | null;
                            name: string;
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            strict?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        })[] | null;
                        logit_bias?: {
                            [key: string]: number;
                        } | null;
                        logprobs?: boolean | null;
                        /** @description Most tokens each choice may have, reasoning included. */
                        max_completion_tokens?: number | null;
                        /** @description Older name of `max_completion_tokens`, which wins over it. */
                        max_tokens?: number | null;
                        messages: ({
                            content?: (string | (({
                                text: string;
                                /** @constant */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                image_url: {
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "image_url";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                file: {
                                    file_data?: string | null;
                                    file_id?: string | null;
                                    filename?: string | null;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                input_audio: {
                                    data: string;
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "video_url";
                                video_url: {
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                refusal: string;
                                /** @constant */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[]) | null;
                            name?: string | null;
                            /** @enum {string} */
                            role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
                            tool_call_id?: string | null;
                            tool_calls?: ({
                                function?: ({
                                    arguments: string;
                                    name: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                id: string;
                                type?: string | null;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        modalities?: string[] | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        moderation?: {
                            [key: string]: unknown;
                        } | null;
                        n?: number | null;
                        parallel_tool_calls?: boolean | null;
                        prediction?: {
                            [key: string]: unknown;
                        } | null;
                        presence_penalty?: number | null;
                        prompt_cache_key?: string | null;
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        prompt_cache_retention?: string | null;
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        reasoning_effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                        response_format?: ({
                            json_schema?: {
                                name: string;
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @enum {string} */
                            type: "text" | "json_object" | "json_schema";
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        safety_identifier?: string | null;
                        seed?: number | null;
                        service_tier?: string | null;
                        stop?: (string | string[]) | null;
                        store?: boolean | null;
                        /** @description true: an event stream. false or null: JSON. Omitted: a stream for callers that accept text/event-stream and for command-line tools, JSON for everyone else. */
                        stream?: boolean | null;
                        stream_options?: ({
                            include_obfuscation?: boolean | null;
                            include_usage?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        temperature?: number | null;
                        tool_choice?: (("none" | "auto" | "required") | ({
                            function: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            custom: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            allowed_tools: {
                                /** @enum {string} */
                                mode: "auto" | "required";
                                tools: {
                                    [key: string]: unknown;
                                }[];
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "allowed_tools";
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        tools?: (({
                            function: {
                                description?: string | null;
                                name: string;
                                parameters?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            custom: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        top_logprobs?: number | null;
                        top_p?: number | null;
                        user?: string | null;
                        verbosity?: ("low" | "medium" | "high") | null;
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
                    after?: string;
                    currency?: "USD" | "CNY";
                    format?: "json" | "csv";
                    from?: string;
                    kind?: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
                    limit?: number;
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
                            data: components["schemas"]["Movement"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
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
                        cache_control?: ({
                            ttl?: ("5m" | "1h") | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        compaction?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        container?: (string | {
                            [key: string]: unknown;
                        }) | null;
                        context_management?: ({
                            edits?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        diagnostics?: {
                            [key: string]: unknown;
                        } | null;
                        inference_geo?: string | null;
                        max_tokens: number;
                        mcp_servers?: {
                            [key: string]: unknown;
                        }[] | null;
                        messages: ({
                            content?: string | (({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                text: string;
                                /** @constant */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                context?: string | null;
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                title?: string | null;
                                /** @constant */
                                type: "document";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                id: string;
                                input: {
                                    [key: string]: unknown;
                                };
                                name: string;
                                /** @constant */
                                type: "tool_use";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                is_error?: boolean | null;
                                tool_use_id: string;
                                /** @constant */
                                type: "tool_result";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                signature: string;
                                thinking: string;
                                /** @constant */
                                type: "thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                data: string;
                                /** @constant */
                                type: "redacted_thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            output_config?: ({
                                effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @enum {string} */
                            role: "user" | "assistant" | "system";
                        } & {
                            [key: string]: unknown;
                        })[];
                        metadata?: ({
                            user_id?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        model: string;
                        output_config?: ({
                            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            format?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            task_budget?: ({
                                remaining?: number | null;
                                total: number;
                                /** @constant */
                                type: "tokens";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        output_format?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        service_tier?: string | null;
                        speed?: string | null;
                        stop_sequences?: string[] | null;
                        stream?: boolean | null;
                        system?: (string | (({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            text: string;
                            /** @constant */
                            type: "text";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "image";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            context?: string | null;
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            title?: string | null;
                            /** @constant */
                            type: "document";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            id: string;
                            input: {
                                [key: string]: unknown;
                            };
                            name: string;
                            /** @constant */
                            type: "tool_use";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            is_error?: boolean | null;
                            tool_use_id: string;
                            /** @constant */
                            type: "tool_result";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            signature: string;
                            thinking: string;
                            /** @constant */
                            type: "thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            data: string;
                            /** @constant */
                            type: "redacted_thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[]) | null;
                        temperature?: number | null;
                        thinking?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tool_choice?: ({
                            disable_parallel_tool_use?: boolean | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tools?: (({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            description?: string | null;
                            input_schema: {
                                [key: string]: unknown;
                            };
                            name: string;
                            type?: "custom" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        top_k?: number | null;
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
                        cache_control?: ({
                            ttl?: ("5m" | "1h") | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        context_management?: ({
                            edits?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        mcp_servers?: {
                            [key: string]: unknown;
                        }[] | null;
                        messages: ({
                            content?: string | (({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                text: string;
                                /** @constant */
                                type: "text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                context?: string | null;
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                title?: string | null;
                                /** @constant */
                                type: "document";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                id: string;
                                input: {
                                    [key: string]: unknown;
                                };
                                name: string;
                                /** @constant */
                                type: "tool_use";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                is_error?: boolean | null;
                                tool_use_id: string;
                                /** @constant */
                                type: "tool_result";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                signature: string;
                                thinking: string;
                                /** @constant */
                                type: "thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                data: string;
                                /** @constant */
                                type: "redacted_thinking";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                cache_control?: ({
                                    ttl?: ("5m" | "1h") | null;
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            output_config?: ({
                                effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /** @enum {string} */
                            role: "user" | "assistant" | "system";
                        } & {
                            [key: string]: unknown;
                        })[];
                        model: string;
                        output_config?: ({
                            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            format?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            task_budget?: ({
                                remaining?: number | null;
                                total: number;
                                /** @constant */
                                type: "tokens";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        system?: (string | (({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            text: string;
                            /** @constant */
                            type: "text";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @constant */
                            type: "image";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            context?: string | null;
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            title?: string | null;
                            /** @constant */
                            type: "document";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            id: string;
                            input: {
                                [key: string]: unknown;
                            };
                            name: string;
                            /** @constant */
                            type: "tool_use";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            is_error?: boolean | null;
                            tool_use_id: string;
                            /** @constant */
                            type: "tool_result";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            signature: string;
                            thinking: string;
                            /** @constant */
                            type: "thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            data: string;
                            /** @constant */
                            type: "redacted_thinking";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[]) | null;
                        thinking?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tool_choice?: ({
                            disable_parallel_tool_use?: boolean | null;
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tools?: (({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            description?: string | null;
                            input_schema: {
                                [key: string]: unknown;
                            };
                            name: string;
                            type?: "custom" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            cache_control?: ({
                                ttl?: ("5m" | "1h") | null;
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
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
                    after_id?: string;
                    before_id?: string;
                    client_version?: string;
                    lifecycle?: ("active" | "deprecated" | "retired")[];
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
                            data: components["schemas"]["Model"][];
                            first_id: string | null;
                            has_more: boolean;
                            last_id: string | null;
                            /** @description For Codex, which asks with `client_version`. */
                            models?: ({
                                base_instructions: string;
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
                    after?: string;
                    channel?: string;
                    currency?: "USD" | "CNY";
                    format?: "json" | "csv";
                    from?: string;
                    id?: string;
                    key_id?: string;
                    limit?: number;
                    min_cost?: string;
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
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
                            data: components["schemas"]["RequestRecord"][];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            from: string;
                            next: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            to: string;
                        };
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
                    channel?: string;
                    currency?: "USD" | "CNY";
                    from?: string;
                    id?: string;
                    key_id?: string;
                    min_cost?: string;
                    model?: string;
                    outcome?: string;
                    status?: "ok" | "failed";
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
                        background?: boolean | null;
                        client_metadata?: {
                            [key: string]: unknown;
                        } | null;
                        context_management?: {
                            [key: string]: unknown;
                        }[] | null;
                        include?: string[] | null;
                        input: string | (({
                            content: string | (({
                                text: string;
                                /** @constant */
                                type: "input_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                text: string;
                                /** @constant */
                                type: "output_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                refusal: string;
                                /** @constant */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                detail?: string | null;
                                file_id?: string | null;
                                image_url?: string | null;
                                /** @constant */
                                type: "input_image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                file_data?: string | null;
                                file_id?: string | null;
                                file_url?: string | null;
                                filename?: string | null;
                                /** @constant */
                                type: "input_file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                input_audio: {
                                    data: string;
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            id?: string | null;
                            /** @enum {string} */
                            role: "user" | "assistant" | "system" | "developer";
                            type?: "message" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            arguments: string;
                            call_id: string;
                            id?: string | null;
                            name: string;
                            namespace?: string | null;
                            /** @constant */
                            type: "function_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            call_id: string;
                            id?: string | null;
                            /** @constant */
                            type: "function_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            call_id: string;
                            id?: string | null;
                            input: string;
                            name: string;
                            namespace?: string | null;
                            /** @constant */
                            type: "custom_tool_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            call_id: string;
                            id?: string | null;
                            /** @constant */
                            type: "custom_tool_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            content?: unknown[] | null;
                            encrypted_content?: string | null;
                            id?: string | null;
                            summary?: unknown[] | null;
                            /** @constant */
                            type: "reasoning";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            encrypted_content: string;
                            id?: string | null;
                            /** @constant */
                            type: "compaction";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            id?: string | null;
                            tools: unknown[];
                            /** @constant */
                            type: "additional_tools";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            id?: string | null;
                            tools: unknown[];
                            /** @constant */
                            type: "tool_search_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[];
                        instructions?: string | null;
                        /** @description Most tokens the answer may have, reasoning included. */
                        max_output_tokens?: number | null;
                        /** @description Most calls of the provider's own tools. */
                        max_tool_calls?: number | null;
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        parallel_tool_calls?: boolean | null;
                        previous_response_id?: string | null;
                        prompt_cache_key?: string | null;
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        prompt_cache_retention?: string | null;
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        reasoning?: ({
                            effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                            generate_summary?: string | null;
                            mode?: string | null;
                            summary?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        safety_identifier?: string | null;
                        service_tier?: string | null;
                        /** @description Answers are never stored, and each says "store": false. */
                        store?: boolean | null;
                        /** @description true: an event stream. Otherwise JSON. */
                        stream?: boolean | null;
                        stream_options?: ({
                            include_obfuscation?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        temperature?: number | null;
                        text?: ({
                            format?: ({
                                name?: string | null;
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                                /** @enum {string} */
                                type: "text" | "json_object" | "json_schema";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            verbosity?: ("low" | "medium" | "high") | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tool_choice?: (("none" | "auto" | "required") | ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        tools?: (({
                            description?: string | null;
                            name: string;
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            strict?: boolean | null;
                            /** @constant */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            description?: string | null;
                            format?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            name: string;
                            /** @constant */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            description?: string | null;
                            name: string;
                            tools: unknown[];
                            /** @constant */
                            type: "namespace";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        top_logprobs?: number | null;
                        top_p?: number | null;
                        truncation?: string | null;
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
                        background?: boolean | null;
                        client_metadata?: {
                            [key: string]: unknown;
                        } | null;
                        context_management?: {
                            [key: string]: unknown;
                        }[] | null;
                        include?: string[] | null;
                        input: string | (({
                            content: string | (({
                                text: string;
                                /** @constant */
                                type: "input_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                text: string;
                                /** @constant */
                                type: "output_text";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                refusal: string;
                                /** @constant */
                                type: "refusal";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                detail?: string | null;
                                file_id?: string | null;
                                image_url?: string | null;
                                /** @constant */
                                type: "input_image";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                file_data?: string | null;
                                file_id?: string | null;
                                file_url?: string | null;
                                filename?: string | null;
                                /** @constant */
                                type: "input_file";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                input_audio: {
                                    data: string;
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                type: "input_audio";
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[];
                            id?: string | null;
                            /** @enum {string} */
                            role: "user" | "assistant" | "system" | "developer";
                            type?: "message" | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            arguments: string;
                            call_id: string;
                            id?: string | null;
                            name: string;
                            namespace?: string | null;
                            /** @constant */
                            type: "function_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            call_id: string;
                            id?: string | null;
                            /** @constant */
                            type: "function_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            call_id: string;
                            id?: string | null;
                            input: string;
                            name: string;
                            namespace?: string | null;
                            /** @constant */
                            type: "custom_tool_call";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            call_id: string;
                            id?: string | null;
                            /** @constant */
                            type: "custom_tool_call_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            content?: unknown[] | null;
                            encrypted_content?: string | null;
                            id?: string | null;
                            summary?: unknown[] | null;
                            /** @constant */
                            type: "reasoning";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            encrypted_content: string;
                            id?: string | null;
                            /** @constant */
                            type: "compaction";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            id?: string | null;
                            tools: unknown[];
                            /** @constant */
                            type: "additional_tools";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            id?: string | null;
                            tools: unknown[];
                            /** @constant */
                            type: "tool_search_output";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[];
                        instructions?: string | null;
                        /** @description Most tokens the answer may have, reasoning included. */
                        max_output_tokens?: number | null;
                        /** @description Most calls of the provider's own tools. */
                        max_tool_calls?: number | null;
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        parallel_tool_calls?: boolean | null;
                        previous_response_id?: string | null;
                        prompt_cache_key?: string | null;
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        prompt_cache_retention?: string | null;
                        provider?: ({
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        reasoning?: ({
                            effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                            generate_summary?: string | null;
                            mode?: string | null;
                            summary?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        safety_identifier?: string | null;
                        service_tier?: string | null;
                        /** @description Answers are never stored, and each says "store": false. */
                        store?: boolean | null;
                        /** @description true: an event stream. Otherwise JSON. */
                        stream?: boolean | null;
                        stream_options?: ({
                            include_obfuscation?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        temperature?: number | null;
                        text?: ({
                            format?: ({
                                name?: string | null;
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                                /** @enum {string} */
                                type: "text" | "json_object" | "json_schema";
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            verbosity?: ("low" | "medium" | "high") | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tool_choice?: (("none" | "auto" | "required") | ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        tools?: (({
                            description?: string | null;
                            name: string;
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            strict?: boolean | null;
                            /** @constant */
                            type: "function";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            description?: string | null;
                            format?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            name: string;
                            /** @constant */
                            type: "custom";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            description?: string | null;
                            name: string;
                            tools: unknown[];
                            /** @constant */
                            type: "namespace";
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        top_logprobs?: number | null;
                        top_p?: number | null;
                        truncation?: string | null;
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
                    format?: "json" | "csv";
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
                            data: components["schemas"]["MonthlyStatement"][];
                            /** @description False: not all movements are summed yet. Retry to continue. */
                            is_whole: boolean;
                            next: string | null;
                        };
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
                    after?: string;
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
                            data: components["schemas"]["TopUp"][];
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
                        amount: string;
                        /** @enum {string} */
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
                    after?: string;
                    channel?: string;
                    currency?: "USD" | "CNY";
                    format?: "json" | "csv";
                    from?: string;
                    group_by?: string;
                    key_id?: string;
                    limit?: number;
                    model?: string;
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
                            data: components["schemas"]["UsageRow"][];
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            from: string;
                            group_by: ("day" | "model" | "key" | "channel")[];
                            next: string | null;
                            /**
                             * Format: date
                             * @description A day, UTC.
                             */
                            to: string;
                            /** @description One row a currency, over all pages. */
                            total: components["schemas"]["UsageRow"][];
                        };
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
            expires_at: string | null;
            id: string;
            limits: components["schemas"]["Limits"];
            name: string;
            spend: components["schemas"]["Spend"];
            /** @enum {string} */
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
            expires_at: string | null;
            id: string;
            /** @description How many of its keys are not revoked. */
            keys: number;
            limits: components["schemas"]["Limits"];
            name: string;
            spend: components["schemas"]["Spend"];
            /** @enum {string} */
            status: "active" | "suspended";
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
            expires_at: string | null;
            id: string;
            limits: components["schemas"]["Limits"];
            name: string;
            spend: components["schemas"]["Spend"];
            /** @enum {string} */
            status: "active" | "suspended";
            wallets: components["schemas"]["Wallet"][];
        };
        Adjustment: {
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
            /** @enum {string} */
            currency: "USD" | "CNY";
            id: string;
            /** @constant */
            kind: "adjust";
        };
        AdminRequestDetails: {
            account_id: string;
            /**
             * Format: date-time
             * @description When it was settled.
             */
            at: string;
            attempts: components["schemas"]["Attempt"][];
            audio_input_tokens: number;
            audio_output_tokens: number;
            cache_read_tokens: number;
            cache_write_1h_tokens: number;
            cache_write_5m_tokens: number;
            /**
             * @example direct
             * @example stable
             * @example economical
             */
            channel: string;
            channel_requested: string | null;
            /**
             * @description The charge.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            cost_details: components["schemas"]["CostDetails"];
            /** @enum {string} */
            currency: "USD" | "CNY";
            duration_ms: number;
            /** @enum {string} */
            endpoint: "chat" | "messages" | "responses" | "images" | "embeddings";
            error_code: string | null;
            /** @description The gateway estimated the counts, since the provider reported none. */
            estimated: boolean;
            finish_reason: string | null;
            first_byte_ms: number | null;
            fx_rate: string | null;
            id: string;
            image_input_tokens: number;
            image_output_tokens: number;
            image_price: string | null;
            images: number;
            input_tokens: number;
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
            model: string;
            operator_cost: string | null;
            /** @enum {string} */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            output_tokens: number;
            price_card: string;
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
            streamed: boolean;
            upstream: string;
            upstream_model: string;
        };
        AdminRequestRecord: {
            account_id: string;
            /**
             * Format: date-time
             * @description When it was settled.
             */
            at: string;
            attempts: components["schemas"]["Attempt"][];
            audio_input_tokens: number;
            audio_output_tokens: number;
            cache_read_tokens: number;
            cache_write_1h_tokens: number;
            cache_write_5m_tokens: number;
            /**
             * @example direct
             * @example stable
             * @example economical
             */
            channel: string;
            channel_requested: string | null;
            /**
             * @description The charge.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            duration_ms: number;
            /** @enum {string} */
            endpoint: "chat" | "messages" | "responses" | "images" | "embeddings";
            error_code: string | null;
            /** @description The gateway estimated the counts, since the provider reported none. */
            estimated: boolean;
            finish_reason: string | null;
            first_byte_ms: number | null;
            fx_rate: string | null;
            id: string;
            image_input_tokens: number;
            image_output_tokens: number;
            image_price: string | null;
            images: number;
            input_tokens: number;
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
            model: string;
            /** @enum {string} */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            output_tokens: number;
            price_card: string;
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
            streamed: boolean;
            upstream: string;
            upstream_model: string;
        };
        AdminUsageRow: {
            account_id: string | null;
            audio_input_tokens: number;
            audio_output_tokens: number;
            cache_read_tokens: number;
            cache_write_1h_tokens: number;
            cache_write_5m_tokens: number;
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
            /** @enum {string} */
            currency: "USD" | "CNY";
            day: string | null;
            image_input_tokens: number;
            image_output_tokens: number;
            images: number;
            incomplete: number;
            input_tokens: number;
            key_id: string | null;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            model: string | null;
            output_tokens: number;
            reasoning_tokens: number;
            requests: number;
        };
        /** @description Null: the configured threshold applies. */
        AlertThresholds: {
            CNY: string | null;
            /** @description The threshold in force; null: no alerts. */
            in_force: {
                CNY: string | null;
                USD: string | null;
            };
            USD: string | null;
        };
        AnthropicError: {
            error: {
                details: {
                    error_code: components["schemas"]["ErrorCode"];
                };
                message: string;
                param?: string;
                type: string;
            };
            request_id?: string;
            /** @constant */
            type?: "error";
        };
        Attempt: {
            channel: string;
            /** @description Until the status line or the failure. */
            duration_ms: number;
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
        AuditAction: "account.alert" | "account.create" | "account.limit" | "account.restore" | "account.suspend" | "account.update" | "backup.create" | "card.publish" | "invitation.create" | "invitation.take_back" | "key.create" | "key.disable" | "key.enable" | "key.limit" | "key.revoke" | "key.rotate" | "key.update" | "ledger.reset_windows" | "person.change" | "person.join" | "person.password" | "person.recovery_codes" | "person.remove" | "person.reset_link" | "person.reset_password" | "person.setup" | "person.sign_up" | "person.totp_clear" | "person.totp_off" | "person.totp_on" | "rate.publish" | "redeem_batch.cancel" | "redeem_batch.create" | "setup_link.create" | "sign_in.pause" | "wallet.adjust" | "wallet.credit" | "wallet.credit_limit" | "wallet.exchange" | "wallet.refund";
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
            /** @enum {string} */
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
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description What no wallet could pay for.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            /** @description A UTC month, such as 2026-11. */
            month: string;
            /**
             * @description Credits by administrators, redeem codes and card payments.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            paid: string;
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
            /** @enum {string} */
            channel: "direct" | "stable" | "economical";
            /** @description What the operator pays, as configured; null: not configured. */
            cost: components["schemas"]["Price"] | null;
            /** @description The model's default channel. */
            default: boolean;
            /** @description An example price of the shipped configuration. */
            example: boolean;
            /** @enum {string} */
            kind: "chat" | "image" | "embedding";
            model: string;
            model_name: string;
            price: components["schemas"]["Price"];
            price_card: string;
            /** @enum {string} */
            settlement: "USD" | "CNY";
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
            choices: ({
                finish_reason: string | null;
                index: number;
                message: {
                    content?: string | null;
                    /** @constant */
                    role: "assistant";
                    tool_calls?: ({
                        id: string;
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
            id: string;
            model: string;
            /** @constant */
            object: "chat.completion";
            usage: {
                completion_tokens: number;
                /** @description The charge in USD, for people and charts. */
                cost: number;
                /** @enum {string} */
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
                prompt_tokens: number;
                total_tokens: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        CostDetails: {
            /**
             * @description What the provider did not report: the most expensive possible value counts.
             * @example [
             *       "tier: priority"
             *     ]
             */
            assumed: string[];
            card: string;
            /** @enum {string} */
            card_currency: "USD" | "CNY";
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            charge: string;
            conversion: {
                /** @enum {string} */
                from: "USD" | "CNY";
                id: string;
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                rate: string;
                /** @enum {string} */
                to: "USD" | "CNY";
            } | null;
            /**
             * @description The sum of the lines.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost_unrounded: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /** @description Always empty. */
            discounts: [
            ];
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
            /** @enum {string} */
            bucket: "input" | "cache_read" | "cache_write_5m" | "cache_write_1h" | "output" | "reasoning" | "audio_input" | "audio_output" | "image_input" | "image_output";
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            count: number;
            /** @constant */
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
            count: number;
            /**
             * @description The price of one use.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            fee: string;
            /** @constant */
            kind: "fee";
            /** @enum {string} */
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
            count: number;
            /** @constant */
            kind: "images";
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
            account_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description The person who made the key, and who can change it like an owner. */
            created_by: string | null;
            expires_at: string | null;
            id: string;
            last_used_at: string | null;
            limits: components["schemas"]["Limits"];
            /** @example sk-mg-abcd...wxyz */
            masked: string;
            name: string;
            /** @description When the secret before the last rotation stops working. */
            previous_secret_until: string | null;
            /** @description Null: an ordinary key. playground: the console uses it. */
            purpose: "playground" | null;
            revoked_at: string | null;
            /** @description Shown only once. */
            secret: string;
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
            cancelled: number;
            cancelled_at: string | null;
            codes: string[];
            count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            expires_at: string | null;
            id: string;
            reason: string;
            used: number;
        };
        Credit: {
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
            /** @enum {string} */
            currency: "USD" | "CNY";
            id: string;
        };
        CreditLimit: {
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
            /** @enum {string} */
            currency: "USD" | "CNY";
            id: string;
            /** @constant */
            kind: "credit_limit";
        };
        /** @description `total_credits` - `total_usage` is the USD balance. */
        Credits: {
            spent: components["schemas"]["Spent"][];
            /** @description In USD. */
            total_credits: number;
            /** @description In USD. */
            total_usage: number;
            wallets: components["schemas"]["Wallet"][];
        };
        Embeddings: {
            data: ({
                /** @description Numbers, or base64 of little-endian 32-bit floats. */
                embedding: number[] | string;
                index: number;
                /** @constant */
                object: "embedding";
            } & {
                [key: string]: unknown;
            })[];
            model: string;
            /** @constant */
            object: "list";
            usage: {
                /** @description The charge in USD, for people and charts. */
                cost: number;
                /** @enum {string} */
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
                prompt_tokens: number;
                total_tokens: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        Error: {
            error: {
                code: components["schemas"]["ErrorCode"];
                message: string;
                param?: string | null;
                type: string;
            };
            request_id?: string;
            /** @constant */
            type?: "error";
        };
        /**
         * @description Codes never change.
         * @enum {string}
         */
        ErrorCode: "invalid_json" | "invalid_value" | "missing_required_parameter" | "unsupported_value" | "weak_password" | "wrong_password" | "wrong_code" | "unsupported_parameter" | "unsupported_modality" | "wrong_endpoint" | "channel_not_available" | "context_length_exceeded" | "content_policy_violation" | "invalid_encrypted_content" | "thread_unsupported_request" | "previous_response_not_found" | "upstream_rejected_request" | "invalid_api_key" | "not_signed_in" | "sign_in_failed" | "insufficient_balance" | "spend_limit_reached" | "totp_required" | "not_allowed" | "cross_origin" | "model_not_found" | "unknown_url" | "not_found" | "link_not_valid" | "method_not_allowed" | "conflict" | "email_taken" | "last_of_role" | "idempotency_in_progress" | "idempotency_not_replayable" | "request_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "upgrade_required" | "rate_limit_exceeded" | "one_request_at_a_time" | "caller_left" | "internal_error" | "upstream_failed" | "upstream_truncated" | "upstream_refused_us" | "payment_provider_failed" | "upstream_overloaded" | "store_unavailable" | "config_mismatch" | "shutting_down" | "upstream_timeout";
        Exchange: {
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
            /** @enum {string} */
            currency: "USD" | "CNY";
            id: string;
            /** @constant */
            kind: "exchange";
            rate: {
                /** @enum {string} */
                from: "USD" | "CNY";
                id: string;
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                rate: string;
                /** @enum {string} */
                to: "USD" | "CNY";
            };
        };
        FxRate: {
            /** @enum {string} */
            from: "USD" | "CNY";
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
            /** @enum {string} */
            to: "USD" | "CNY";
        };
        Generation: {
            cancelled: boolean;
            channel: string;
            channel_requested: string | null;
            /** @enum {string} */
            cost_currency: "USD" | "CNY";
            cost_details: components["schemas"]["CostDetails"];
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
            duration_ms: number;
            /** @enum {string} */
            endpoint: "chat" | "messages" | "responses" | "images" | "embeddings";
            error_code: string | null;
            finish_reason: string | null;
            first_byte_ms: number | null;
            fx_rate: string | null;
            generation_time: number;
            id: string;
            images: {
                count: number;
                price_key: string;
            } | null;
            key_id: string;
            latency: number;
            /** @description How the tokens are known: reported by the provider, read on to its report after the client disconnected, or estimated by the text or by the time of generation. Null for images. */
            measure: ("reported" | "read_on" | "estimated" | "estimated_by_time") | null;
            model: string;
            native_tokens_cached: number;
            native_tokens_completion: number;
            native_tokens_prompt: number;
            num_media_completion: number;
            /** @enum {string} */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            price_card: string;
            provider_name: string;
            streamed: boolean;
            tokens_completion: number;
            tokens_prompt: number;
            /** @description In USD. */
            total_cost: number;
            /** @description In USD. */
            usage: number;
            usage_buckets: {
                audio_input: number;
                audio_output: number;
                cache_read: number;
                cache_write_1h: number;
                cache_write_5m: number;
                image_input: number;
                image_output: number;
                input: number;
                output: number;
                reasoning: number;
            };
        };
        GoogleError: {
            error: {
                code: number;
                details: {
                    reason?: components["schemas"]["ErrorCode"];
                }[];
                message: string;
                status: string;
            };
        };
        Images: {
            /** @description Models that are priced per token. */
            background?: string;
            /** @description Seconds since 1970. */
            created: number;
            data: {
                /** @description The file itself. */
                b64_json?: string;
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
                /** @enum {string} */
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
                input_tokens: number;
                output_tokens: number;
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
            input_tokens: number;
            /** @constant */
            object: "response.input_tokens";
        };
        Invitation: {
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
            id: string;
            invited_by: string;
            /** @enum {string} */
            role: "read_only" | "member" | "owner" | "administrator";
            /** @enum {string} */
            state: "open" | "accepted" | "expired";
        };
        Key: {
            account_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description The person who made the key, and who can change it like an owner. */
            created_by: string | null;
            expires_at: string | null;
            id: string;
            last_used_at: string | null;
            limits: components["schemas"]["Limits"];
            /** @example sk-mg-abcd...wxyz */
            masked: string;
            name: string;
            /** @description When the secret before the last rotation stops working. */
            previous_secret_until: string | null;
            /** @description Null: an ordinary key. playground: the console uses it. */
            purpose: "playground" | null;
            revoked_at: string | null;
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
                detail: string;
                invariant: string;
                subject: string;
            }[];
            ok: boolean;
        };
        /** @description Null: no limit. Caps on spending are in USD. */
        Limits: {
            channels: string[] | null;
            concurrency: number | null;
            ip_ranges: string[] | null;
            models: string[] | null;
            requests_per_minute: number | null;
            spend: {
                day: string | null;
                month: string | null;
                total: string | null;
                week: string | null;
            };
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
            /** @enum {string} */
            kind: "setup" | "invitation" | "password_reset";
            role: ("read_only" | "member" | "owner" | "administrator") | null;
        };
        Member: {
            account: {
                id: string;
                name: string;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            email: string;
            id: string;
            last_seen_at: string | null;
            name: string;
            /** @enum {string} */
            role: "read_only" | "member" | "owner" | "administrator";
            totp_enabled: boolean;
        };
        Message: {
            content: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            id: string;
            model: string;
            /** @constant */
            role: "assistant";
            stop_reason: string | null;
            /** @constant */
            type: "message";
            usage: {
                /** @description The charge in USD, for people and charts. */
                cost: number;
                /** @enum {string} */
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
                input_tokens: number;
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
            channels: components["schemas"]["ModelChannel"][];
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
            display_name: string;
            id: string;
            /** @description Image models with prices per token: the most output tokens of an image, by size, or size and quality. */
            image_tokens?: {
                [key: string]: number;
            };
            input_modalities: string[];
            /** @enum {string} */
            kind: "chat" | "image" | "embedding";
            /**
             * @description A field of the Messages protocol that is always the same here.
             * @constant
             */
            lifecycle: "active";
            /** @description A field of the Messages protocol that is always null here. */
            line: string | null;
            maker: string;
            /** @description Image models: images per request. */
            max_images?: number;
            /** @description Image models: images that an edit may have; 0: the model edits none. */
            max_input_images?: number;
            max_input_tokens: number | null;
            /** @description Embedding models: inputs per request. */
            max_inputs?: number;
            max_output_tokens: number | null;
            /** @description Image models: partial images of a stream; null: the model does not stream. */
            max_partial_images?: number | null;
            max_tokens: number | null;
            /** @description Embedding models: tokens of all inputs of a request. */
            max_total_tokens?: number;
            /** @description Embedding models: the fewest numbers; null: `dimensions` cannot be changed. */
            min_dimensions?: number | null;
            /** @description Image models; the first is the default. */
            moderations?: string[];
            name: string;
            /** @constant */
            object: "model";
            /** @description Image models; the first is the default. */
            output_formats?: string[];
            output_modalities: string[];
            owned_by: string;
            /** @description Image models; the first is the default. */
            qualities?: string[];
            /** @description YYYY/MM/DD */
            release_date: string | null;
            /** @description A field of the Messages protocol that is always null here. */
            retires_at: string | null;
            /** @enum {string} */
            settlement: "USD" | "CNY";
            /** @description Null: prices are in the settlement currency. */
            settlement_rate: {
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
            /** @constant */
            type: "model";
        };
        ModelChannel: {
            /** @enum {string} */
            channel: "direct" | "stable" | "economical";
            default: boolean;
            /** @description An example price of the shipped configuration. */
            example: boolean;
            health: components["schemas"]["ChannelHealth"];
            price: components["schemas"]["Price"];
            price_card: string;
            /** @description Null: the price depends on token counts alone. */
            price_terms: components["schemas"]["PriceTerms"] | null;
            /** @description Parameters that the channel honors: of chat completions, and `speed` and `inference_geo` of Messages. Others are ignored, or refused by name. Those that change the price are listed where the card sells them. */
            supported_parameters: ("max_completion_tokens" | "temperature" | "top_p" | "presence_penalty" | "frequency_penalty" | "seed" | "stop" | "n" | "logit_bias" | "logprobs" | "tools" | "tool_choice" | "parallel_tool_calls" | "response_format" | "reasoning_effort" | "verbosity" | "service_tier" | "speed" | "inference_geo")[];
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
            /** @enum {string} */
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
            /** @enum {string} */
            currency: "USD" | "CNY";
            fx_price: string | null;
            fx_rate: string | null;
            id: string;
            /** @enum {string} */
            kind: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
            reason: string | null;
            request_id: string | null;
            /** @description The ledger account on the other side. */
            source: string;
        };
        NewInvitation: {
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
            id: string;
            invited_by: string;
            /** @enum {string} */
            role: "read_only" | "member" | "owner" | "administrator";
            /** @enum {string} */
            state: "open" | "accepted" | "expired";
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
        OneTimeLink: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            url: string;
        };
        OpenAiError: {
            error: {
                code: components["schemas"]["ErrorCode"];
                message: string;
                param?: string | null;
                type: string;
            };
        };
        Overrun: {
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
            channel: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            charge: string;
            /** @enum {string} */
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
            model: string;
            /** @enum {string} */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            /**
             * @description `charge` + `loss`, which is above `held`.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            price: string;
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
            spend: components["schemas"]["RecentSpend"][];
            wallets: components["schemas"]["WatchedWallet"][];
        };
        OwnAttempt: {
            channel: string;
            /** @description Until the status line or the failure. */
            duration_ms: number;
            /** @description The HTTP status, or the code of the failure. */
            result: string;
            /** @description Since admission of the request. */
            start_ms: number;
        };
        OwnKey: {
            account_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            expires_at: string | null;
            id: string;
            /** @constant */
            is_free_tier: false;
            /** @constant */
            is_management_key: false;
            label: string;
            last_used_at: string | null;
            limit: number | null;
            limit_remaining: number | null;
            limit_reset: ("daily" | "weekly" | "monthly") | null;
            limits: components["schemas"]["Limits"];
            name: string;
            spend: components["schemas"]["Spend"];
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
            detail: string;
            id: string;
            order_id: string | null;
            /** @enum {string} */
            outcome: "booked" | "noted" | "ignored" | "mismatch" | "unknown_order" | "reversed";
            type: string;
        };
        Person: {
            account: {
                id: string;
                name: string;
            };
            email: string;
            id: string;
            name: string;
            /** @enum {string} */
            role: "read_only" | "member" | "owner" | "administrator";
            totp_enabled: boolean;
            totp_required: boolean;
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
            /** @enum {string} */
            currency: "USD" | "CNY";
            /** @description Null: these tokens are charged as input. */
            image_input: string | null;
            /** @description Null: these tokens are charged as output. */
            image_output: string | null;
            input: string | null;
            output: string | null;
            /** @description By size, such as 1024x1024, or size and quality, such as 1024x1024/hd. */
            per_image: {
                [key: string]: string;
            } | null;
            /** @description Null: these tokens are charged as output. */
            reasoning: string | null;
            /** @enum {string} */
            unit: "1M tokens" | "image";
        };
        PriceCard: {
            channel: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            id: string;
            /** @description Whether requests are priced with it now. */
            in_force: boolean;
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
        /** @description The conditions of `when`, one by one. */
        PriceConditions: {
            /** @description Null: no condition. */
            geo: string[] | null;
            prompt_from: number | null;
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
        PriceTerms: {
            /** @description What a request may ask for. */
            accepts: {
                geo: string[];
                speed: string[];
                tier: string[];
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
                /** @enum {string} */
                unit: "request" | "web_search" | "web_fetch" | "file_search" | "code_execution" | "x_search" | "maps";
            }[];
            /** @description What conditions call it; the first is served by default. */
            offers: {
                geo: string[];
                quality: string[];
                size: string[];
                speed: string[];
                tier: string[];
            };
            /** @description The last row whose conditions hold is charged, else `price`. */
            rows: {
                audio_input: string | null;
                audio_output: string | null;
                cache_read: string | null;
                cache_write: string | null;
                cache_write_1h: string | null;
                conditions: components["schemas"]["PriceConditions"];
                image_input: string | null;
                image_output: string | null;
                input: string | null;
                output: string | null;
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
                /** @enum {string} */
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
                id: string;
                name: string;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            email: string;
            id: string;
            name: string;
            recovery_codes_left: number;
            /** @enum {string} */
            role: "read_only" | "member" | "owner" | "administrator";
            totp_enabled: boolean;
            totp_required: boolean;
        };
        /** @description UTC days, today included. */
        RecentSpend: {
            /** @enum {string} */
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
            cache_read: number | null;
            cache_write: number | null;
            /** @description A decimal string in `currency`. */
            cost: string | null;
            images: number | null;
            output: number | null;
            /** @description All input tokens, those of the cache included. */
            prompt: number | null;
            requests: number | null;
        };
        Reconciliation: {
            /** @description How many differences are beyond the tolerance. */
            beyond: number;
            billed: components["schemas"]["ReconciledSums"];
            /** @description How many pairs of day and model were compared. */
            compared: number;
            /** @enum {string} */
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
            /** @enum {string} */
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
            cancelled: number;
            cancelled_at: string | null;
            count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            expires_at: string | null;
            id: string;
            reason: string;
            used: number;
        };
        Redeemed: {
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
            /** @enum {string} */
            currency: "USD" | "CNY";
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
            /** @enum {string} */
            currency: "USD" | "CNY";
            id: string;
            /** @constant */
            kind: "refund";
            request_id: string;
        };
        Refusal: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            code: string;
            /** @enum {string} */
            endpoint: "chat" | "messages" | "responses" | "images" | "embeddings" | "count_tokens";
            id: string;
            key_id: string;
            message: string;
            /** @description Null if the body could not be read. */
            model: string | null;
            status: number;
        };
        RequestDetails: {
            /**
             * Format: date-time
             * @description When it was settled.
             */
            at: string;
            /** @description In order. The last one served the request, if any did. */
            attempts: components["schemas"]["OwnAttempt"][];
            audio_input_tokens: number;
            audio_output_tokens: number;
            cache_read_tokens: number;
            cache_write_1h_tokens: number;
            cache_write_5m_tokens: number;
            /**
             * @example direct
             * @example stable
             * @example economical
             */
            channel: string;
            channel_requested: string | null;
            /**
             * @description The charge.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            cost_details: components["schemas"]["CostDetails"];
            /** @enum {string} */
            currency: "USD" | "CNY";
            duration_ms: number;
            /** @enum {string} */
            endpoint: "chat" | "messages" | "responses" | "images" | "embeddings";
            error_code: string | null;
            /** @description The gateway estimated the counts, since the provider reported none. */
            estimated: boolean;
            finish_reason: string | null;
            first_byte_ms: number | null;
            fx_rate: string | null;
            /** @description The hold. What was not charged of it was released. */
            held: string | null;
            id: string;
            image_input_tokens: number;
            image_output_tokens: number;
            image_price: string | null;
            images: number;
            input_tokens: number;
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
            model: string;
            /** @enum {string} */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            output_tokens: number;
            price_card: string;
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
            streamed: boolean;
        };
        RequestHistogram: {
            /**
             * @description Hours for a range of up to three days.
             * @enum {string}
             */
            bucket: "hour" | "day";
            data: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                at: string;
                failed: number;
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
            audio_input_tokens: number;
            audio_output_tokens: number;
            cache_read_tokens: number;
            cache_write_1h_tokens: number;
            cache_write_5m_tokens: number;
            /**
             * @example direct
             * @example stable
             * @example economical
             */
            channel: string;
            channel_requested: string | null;
            /**
             * @description The charge.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            duration_ms: number;
            /** @enum {string} */
            endpoint: "chat" | "messages" | "responses" | "images" | "embeddings";
            error_code: string | null;
            /** @description The gateway estimated the counts, since the provider reported none. */
            estimated: boolean;
            finish_reason: string | null;
            first_byte_ms: number | null;
            fx_rate: string | null;
            id: string;
            image_input_tokens: number;
            image_output_tokens: number;
            image_price: string | null;
            images: number;
            input_tokens: number;
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
            model: string;
            /** @enum {string} */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            output_tokens: number;
            price_card: string;
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
            streamed: boolean;
        };
        Response: {
            /** @description Seconds since 1970. */
            created_at: number;
            id: string;
            model: string;
            /** @constant */
            object: "response";
            output: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @enum {string} */
            status: "completed" | "incomplete" | "failed";
            /**
             * @description Answers are never stored.
             * @constant
             */
            store: false;
            usage: {
                /** @description The charge in USD, for people and charts. */
                cost: number;
                /** @enum {string} */
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
                input_tokens: number;
                output_tokens: number;
                total_tokens: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        RouteHealth: {
            /** @enum {string} */
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
                code: string;
            } | null;
            model: string;
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
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            last_seen_at: string;
            user_agent: string | null;
        };
        SessionState: {
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
            remaining: string | null;
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
            /** @enum {string} */
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
        TokenCount: {
            context_management?: {
                original_input_tokens: number;
            };
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
            /** @enum {string} */
            currency: "USD" | "CNY";
            id: string;
            /** @enum {string} */
            status: "open" | "pending" | "paid" | "failed" | "expired" | "review";
            /** @description Where to pay; null when it is no longer open. */
            url: string | null;
        };
        TotpSetup: {
            otpauth_uri: string;
            recovery_codes: string[];
            secret: string;
        };
        UpstreamCheck: {
            /** @description The upstream's message, without keys. */
            error: string | null;
            /** @description From the request to the first byte of the answer. */
            first_byte_ms: number | null;
            /** @enum {string} */
            format: "chat" | "messages" | "responses";
            ok: boolean;
            /** @description The problem and its remedy. */
            problem: string | null;
            status: number | null;
            /** @description From the request to the status line. */
            status_ms: number | null;
            /** @description As read from the answer; each token is counted once. */
            usage: {
                cache_read_tokens: number;
                cache_write_tokens: number;
                input_tokens: number;
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
            audio_input_tokens: number;
            audio_output_tokens: number;
            cache_read_tokens: number;
            cache_write_1h_tokens: number;
            cache_write_5m_tokens: number;
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
            /** @enum {string} */
            currency: "USD" | "CNY";
            day: string | null;
            image_input_tokens: number;
            image_output_tokens: number;
            images: number;
            incomplete: number;
            input_tokens: number;
            key_id: string | null;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            model: string | null;
            output_tokens: number;
            reasoning_tokens: number;
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
            /** @enum {string} */
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
            /** @enum {string} */
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

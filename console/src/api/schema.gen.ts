// Made by `npm run console:api` from the routes of the gateway; do not edit.
// biome-ignore-all format: a machine wrote it
export interface paths {
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
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        messages: ({
                            /** @enum {string} */
                            role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
                            name?: string | null;
                            tool_call_id?: string | null;
                            tool_calls?: ({
                                id: string;
                                type?: string | null;
                                function?: ({
                                    name: string;
                                    arguments: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                            content?: (string | (({
                                /** @constant */
                                type: "text";
                                text: string;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "image_url";
                                image_url: {
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "file";
                                file: {
                                    file_data?: string | null;
                                    filename?: string | null;
                                    file_id?: string | null;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "input_audio";
                                input_audio: {
                                    data: string;
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
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
                                /** @constant */
                                type: "refusal";
                                refusal: string;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[]) | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description true: an event stream. false or null: JSON. Omitted: a stream for callers that accept text/event-stream and for command-line tools, JSON for everyone else. */
                        stream?: boolean | null;
                        stream_options?: ({
                            include_usage?: boolean | null;
                            include_obfuscation?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Most tokens each choice may have, reasoning included. */
                        max_completion_tokens?: number | null;
                        /** @description Older name of `max_completion_tokens`, which wins over it. */
                        max_tokens?: number | null;
                        n?: number | null;
                        temperature?: number | null;
                        top_p?: number | null;
                        presence_penalty?: number | null;
                        frequency_penalty?: number | null;
                        logit_bias?: {
                            [key: string]: number;
                        } | null;
                        logprobs?: boolean | null;
                        top_logprobs?: number | null;
                        seed?: number | null;
                        stop?: (string | string[]) | null;
                        tools?: (({
                            /** @constant */
                            type: "function";
                            function: {
                                name: string;
                                description?: string | null;
                                parameters?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "custom";
                            custom: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        tool_choice?: (("none" | "auto" | "required") | ({
                            /** @constant */
                            type: "function";
                            function: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "custom";
                            custom: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "allowed_tools";
                            allowed_tools: {
                                /** @enum {string} */
                                mode: "auto" | "required";
                                tools: {
                                    [key: string]: unknown;
                                }[];
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        parallel_tool_calls?: boolean | null;
                        functions?: ({
                            name: string;
                            description?: string | null;
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            strict?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        })[] | null;
                        function_call?: (string | ({
                            name: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        response_format?: ({
                            /** @enum {string} */
                            type: "text" | "json_object" | "json_schema";
                            json_schema?: {
                                name: string;
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        reasoning_effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                        verbosity?: ("low" | "medium" | "high") | null;
                        service_tier?: string | null;
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        store?: boolean | null;
                        user?: string | null;
                        safety_identifier?: string | null;
                        prompt_cache_key?: string | null;
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        prompt_cache_retention?: string | null;
                        audio?: {
                            [key: string]: unknown;
                        } | null;
                        prediction?: {
                            [key: string]: unknown;
                        } | null;
                        moderation?: {
                            [key: string]: unknown;
                        } | null;
                        web_search_options?: {
                            [key: string]: unknown;
                        } | null;
                        modalities?: string[] | null;
                        provider?: ({
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                    } & {
                        [key: string]: unknown;
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
                        "application/json": Record<string, never>;
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        /** @description Id of a chat model from the catalogue. */
                        model: string;
                        messages: ({
                            /** @enum {string} */
                            role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
                            name?: string | null;
                            tool_call_id?: string | null;
                            tool_calls?: ({
                                id: string;
                                type?: string | null;
                                function?: ({
                                    name: string;
                                    arguments: string;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            })[] | null;
                            content?: (string | (({
                                /** @constant */
                                type: "text";
                                text: string;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "image_url";
                                image_url: {
                                    url: string;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "file";
                                file: {
                                    file_data?: string | null;
                                    filename?: string | null;
                                    file_id?: string | null;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "input_audio";
                                input_audio: {
                                    data: string;
                                    format: string;
                                } & {
                                    [key: string]: unknown;
                                };
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
                                /** @constant */
                                type: "refusal";
                                refusal: string;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }))[]) | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description true: an event stream. false or null: JSON. Omitted: a stream for callers that accept text/event-stream and for command-line tools, JSON for everyone else. */
                        stream?: boolean | null;
                        stream_options?: ({
                            include_usage?: boolean | null;
                            include_obfuscation?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        /** @description Most tokens each choice may have, reasoning included. */
                        max_completion_tokens?: number | null;
                        /** @description Older name of `max_completion_tokens`, which wins over it. */
                        max_tokens?: number | null;
                        n?: number | null;
                        temperature?: number | null;
                        top_p?: number | null;
                        presence_penalty?: number | null;
                        frequency_penalty?: number | null;
                        logit_bias?: {
                            [key: string]: number;
                        } | null;
                        logprobs?: boolean | null;
                        top_logprobs?: number | null;
                        seed?: number | null;
                        stop?: (string | string[]) | null;
                        tools?: (({
                            /** @constant */
                            type: "function";
                            function: {
                                name: string;
                                description?: string | null;
                                parameters?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "custom";
                            custom: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        tool_choice?: (("none" | "auto" | "required") | ({
                            /** @constant */
                            type: "function";
                            function: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "custom";
                            custom: {
                                name: string;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "allowed_tools";
                            allowed_tools: {
                                /** @enum {string} */
                                mode: "auto" | "required";
                                tools: {
                                    [key: string]: unknown;
                                }[];
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        parallel_tool_calls?: boolean | null;
                        functions?: ({
                            name: string;
                            description?: string | null;
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            strict?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        })[] | null;
                        function_call?: (string | ({
                            name: string;
                        } & {
                            [key: string]: unknown;
                        })) | null;
                        response_format?: ({
                            /** @enum {string} */
                            type: "text" | "json_object" | "json_schema";
                            json_schema?: {
                                name: string;
                                schema?: {
                                    [key: string]: unknown;
                                } | null;
                                strict?: boolean | null;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        reasoning_effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                        verbosity?: ("low" | "medium" | "high") | null;
                        service_tier?: string | null;
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        store?: boolean | null;
                        user?: string | null;
                        safety_identifier?: string | null;
                        prompt_cache_key?: string | null;
                        prompt_cache_options?: {
                            [key: string]: unknown;
                        } | null;
                        prompt_cache_retention?: string | null;
                        audio?: {
                            [key: string]: unknown;
                        } | null;
                        prediction?: {
                            [key: string]: unknown;
                        } | null;
                        moderation?: {
                            [key: string]: unknown;
                        } | null;
                        web_search_options?: {
                            [key: string]: unknown;
                        } | null;
                        modalities?: string[] | null;
                        provider?: ({
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                    } & {
                        [key: string]: unknown;
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
                        "application/json": Record<string, never>;
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        model: string;
                        messages: ({
                            /** @enum {string} */
                            role: "user" | "assistant" | "system";
                            output_config?: ({
                                effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            content?: string | (({
                                /** @constant */
                                type: "text";
                                text: string;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "image";
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "document";
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                title?: string | null;
                                context?: string | null;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "tool_use";
                                id: string;
                                name: string;
                                input: {
                                    [key: string]: unknown;
                                };
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "tool_result";
                                tool_use_id: string;
                                is_error?: boolean | null;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "thinking";
                                thinking: string;
                                signature: string;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "redacted_thinking";
                                data: string;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                type: string;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }))[];
                        } & {
                            [key: string]: unknown;
                        })[];
                        thinking?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        output_config?: ({
                            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            format?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            task_budget?: ({
                                /** @constant */
                                type: "tokens";
                                total: number;
                                remaining?: number | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tools?: (({
                            type?: "custom" | null;
                            name: string;
                            description?: string | null;
                            input_schema: {
                                [key: string]: unknown;
                            };
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        tool_choice?: ({
                            type: string;
                            disable_parallel_tool_use?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        cache_control?: ({
                            type: string;
                            ttl?: ("5m" | "1h") | null;
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
                        provider?: ({
                            channel?: string | null;
                            allow_fallbacks?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        max_tokens: number;
                        stream?: boolean | null;
                        stop_sequences?: string[] | null;
                        temperature?: number | null;
                        top_p?: number | null;
                        top_k?: number | null;
                        metadata?: ({
                            user_id?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        service_tier?: string | null;
                        container?: (string | {
                            [key: string]: unknown;
                        }) | null;
                        inference_geo?: string | null;
                        speed?: string | null;
                        diagnostics?: {
                            [key: string]: unknown;
                        } | null;
                        compaction?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        output_format?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        system?: (string | (({
                            /** @constant */
                            type: "text";
                            text: string;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "image";
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "document";
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            title?: string | null;
                            context?: string | null;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "tool_use";
                            id: string;
                            name: string;
                            input: {
                                [key: string]: unknown;
                            };
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "tool_result";
                            tool_use_id: string;
                            is_error?: boolean | null;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "thinking";
                            thinking: string;
                            signature: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "redacted_thinking";
                            data: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }))[]) | null;
                    } & {
                        [key: string]: unknown;
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
                        "application/json": Record<string, never>;
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the anthropic dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        model: string;
                        messages: ({
                            /** @enum {string} */
                            role: "user" | "assistant" | "system";
                            output_config?: ({
                                effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            content?: string | (({
                                /** @constant */
                                type: "text";
                                text: string;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "image";
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "document";
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                title?: string | null;
                                context?: string | null;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "tool_use";
                                id: string;
                                name: string;
                                input: {
                                    [key: string]: unknown;
                                };
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "tool_result";
                                tool_use_id: string;
                                is_error?: boolean | null;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "thinking";
                                thinking: string;
                                signature: string;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "redacted_thinking";
                                data: string;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                type: string;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }))[];
                        } & {
                            [key: string]: unknown;
                        })[];
                        thinking?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        output_config?: ({
                            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            format?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            task_budget?: ({
                                /** @constant */
                                type: "tokens";
                                total: number;
                                remaining?: number | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tools?: (({
                            type?: "custom" | null;
                            name: string;
                            description?: string | null;
                            input_schema: {
                                [key: string]: unknown;
                            };
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        tool_choice?: ({
                            type: string;
                            disable_parallel_tool_use?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        cache_control?: ({
                            type: string;
                            ttl?: ("5m" | "1h") | null;
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
                        provider?: ({
                            channel?: string | null;
                            allow_fallbacks?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        max_tokens: number;
                        stream?: boolean | null;
                        stop_sequences?: string[] | null;
                        temperature?: number | null;
                        top_p?: number | null;
                        top_k?: number | null;
                        metadata?: ({
                            user_id?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        service_tier?: string | null;
                        container?: (string | {
                            [key: string]: unknown;
                        }) | null;
                        inference_geo?: string | null;
                        speed?: string | null;
                        diagnostics?: {
                            [key: string]: unknown;
                        } | null;
                        compaction?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        output_format?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        system?: (string | (({
                            /** @constant */
                            type: "text";
                            text: string;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "image";
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "document";
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            title?: string | null;
                            context?: string | null;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "tool_use";
                            id: string;
                            name: string;
                            input: {
                                [key: string]: unknown;
                            };
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "tool_result";
                            tool_use_id: string;
                            is_error?: boolean | null;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "thinking";
                            thinking: string;
                            signature: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "redacted_thinking";
                            data: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }))[]) | null;
                    } & {
                        [key: string]: unknown;
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
                        "application/json": Record<string, never>;
                        "text/event-stream": unknown;
                    };
                };
                /** @description An error body in the anthropic dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        model: string;
                        messages: ({
                            /** @enum {string} */
                            role: "user" | "assistant" | "system";
                            output_config?: ({
                                effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            content?: string | (({
                                /** @constant */
                                type: "text";
                                text: string;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "image";
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "document";
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                title?: string | null;
                                context?: string | null;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "tool_use";
                                id: string;
                                name: string;
                                input: {
                                    [key: string]: unknown;
                                };
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "tool_result";
                                tool_use_id: string;
                                is_error?: boolean | null;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "thinking";
                                thinking: string;
                                signature: string;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "redacted_thinking";
                                data: string;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                type: string;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }))[];
                        } & {
                            [key: string]: unknown;
                        })[];
                        thinking?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        output_config?: ({
                            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            format?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            task_budget?: ({
                                /** @constant */
                                type: "tokens";
                                total: number;
                                remaining?: number | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tools?: (({
                            type?: "custom" | null;
                            name: string;
                            description?: string | null;
                            input_schema: {
                                [key: string]: unknown;
                            };
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        tool_choice?: ({
                            type: string;
                            disable_parallel_tool_use?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        cache_control?: ({
                            type: string;
                            ttl?: ("5m" | "1h") | null;
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
                        provider?: ({
                            channel?: string | null;
                            allow_fallbacks?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        system?: (string | (({
                            /** @constant */
                            type: "text";
                            text: string;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "image";
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "document";
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            title?: string | null;
                            context?: string | null;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "tool_use";
                            id: string;
                            name: string;
                            input: {
                                [key: string]: unknown;
                            };
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "tool_result";
                            tool_use_id: string;
                            is_error?: boolean | null;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "thinking";
                            thinking: string;
                            signature: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "redacted_thinking";
                            data: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }))[]) | null;
                    } & {
                        [key: string]: unknown;
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the anthropic dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        model: string;
                        messages: ({
                            /** @enum {string} */
                            role: "user" | "assistant" | "system";
                            output_config?: ({
                                effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            content?: string | (({
                                /** @constant */
                                type: "text";
                                text: string;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "image";
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "document";
                                source: {
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                };
                                title?: string | null;
                                context?: string | null;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "tool_use";
                                id: string;
                                name: string;
                                input: {
                                    [key: string]: unknown;
                                };
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "tool_result";
                                tool_use_id: string;
                                is_error?: boolean | null;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "thinking";
                                thinking: string;
                                signature: string;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                /** @constant */
                                type: "redacted_thinking";
                                data: string;
                            } & {
                                [key: string]: unknown;
                            }) | ({
                                type: string;
                                cache_control?: ({
                                    type: string;
                                    ttl?: ("5m" | "1h") | null;
                                } & {
                                    [key: string]: unknown;
                                }) | null;
                            } & {
                                [key: string]: unknown;
                            }))[];
                        } & {
                            [key: string]: unknown;
                        })[];
                        thinking?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        output_config?: ({
                            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
                            format?: ({
                                type: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            task_budget?: ({
                                /** @constant */
                                type: "tokens";
                                total: number;
                                remaining?: number | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        tools?: (({
                            type?: "custom" | null;
                            name: string;
                            description?: string | null;
                            input_schema: {
                                [key: string]: unknown;
                            };
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }))[] | null;
                        tool_choice?: ({
                            type: string;
                            disable_parallel_tool_use?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        cache_control?: ({
                            type: string;
                            ttl?: ("5m" | "1h") | null;
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
                        provider?: ({
                            channel?: string | null;
                            allow_fallbacks?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        system?: (string | (({
                            /** @constant */
                            type: "text";
                            text: string;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "image";
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "document";
                            source: {
                                type: string;
                            } & {
                                [key: string]: unknown;
                            };
                            title?: string | null;
                            context?: string | null;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "tool_use";
                            id: string;
                            name: string;
                            input: {
                                [key: string]: unknown;
                            };
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "tool_result";
                            tool_use_id: string;
                            is_error?: boolean | null;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "thinking";
                            thinking: string;
                            signature: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @constant */
                            type: "redacted_thinking";
                            data: string;
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            type: string;
                            cache_control?: ({
                                type: string;
                                ttl?: ("5m" | "1h") | null;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                        } & {
                            [key: string]: unknown;
                        }))[]) | null;
                    } & {
                        [key: string]: unknown;
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the anthropic dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        /** @description Id of an image model, such as `img-3`. */
                        model: string;
                        /** @description What the image shows, in any language. */
                        prompt: string;
                        /** @description How many images; 1 when absent. `img-3` draws only 1. */
                        n?: number | null;
                        /** @description `WIDTHxHEIGHT`; `1024x1024` when absent. */
                        size?: string | null;
                        /** @description `standard` (default) or `hd`; `img-3` only. */
                        quality?: string | null;
                        /** @description `vivid` (default) or `natural`; `img-3` only. */
                        style?: string | null;
                        /** @description `url` (default): a temporary address. `b64_json`: the PNG itself in base64. */
                        response_format?: ("url" | "b64_json") | null;
                        /** @description Your end user, for abuse detection. */
                        user?: string | null;
                        provider?: ({
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                    } & {
                        [key: string]: unknown;
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        /** @description Id of an image model, such as `img-3`. */
                        model: string;
                        /** @description What the image shows, in any language. */
                        prompt: string;
                        /** @description How many images; 1 when absent. `img-3` draws only 1. */
                        n?: number | null;
                        /** @description `WIDTHxHEIGHT`; `1024x1024` when absent. */
                        size?: string | null;
                        /** @description `standard` (default) or `hd`; `img-3` only. */
                        quality?: string | null;
                        /** @description `vivid` (default) or `natural`; `img-3` only. */
                        style?: string | null;
                        /** @description `url` (default): a temporary address. `b64_json`: the PNG itself in base64. */
                        response_format?: ("url" | "b64_json") | null;
                        /** @description Your end user, for abuse detection. */
                        user?: string | null;
                        provider?: ({
                            /** @description Service channel; one the model lacks is served on its default channel. */
                            channel?: string | null;
                            /** @description false: fail rather than answer on another channel than the one named. */
                            allow_fallbacks?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                    } & {
                        [key: string]: unknown;
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
    "/files/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a generated image by its signed, temporary address */
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
                        "image/png": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                    limit?: number;
                    after_id?: string;
                    before_id?: string;
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
                            /** @constant */
                            object: "list";
                            data: components["schemas"]["Model"][];
                            has_more: boolean;
                            first_id: string | null;
                            last_id: string | null;
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
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
                    limit?: number;
                    after_id?: string;
                    before_id?: string;
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
                            /** @constant */
                            object: "list";
                            data: components["schemas"]["Model"][];
                            has_more: boolean;
                            first_id: string | null;
                            last_id: string | null;
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
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
    "/console/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The models with their channels, prices and health, also where that is not public */
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
                            object: "list";
                            data: components["schemas"]["Model"][];
                            has_more: boolean;
                            first_id: string | null;
                            last_id: string | null;
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** How each model fares on each channel */
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
                             * @description ISO 8601, UTC.
                             */
                            at: string;
                            /**
                             * @description down: of every model. degraded: of some channel.
                             * @enum {string}
                             */
                            status: "healthy" | "degraded" | "down";
                            /**
                             * Format: date-time
                             * @description When the first of the `hours` began.
                             */
                            hours_from: string;
                            models: components["schemas"]["ModelStatus"][];
                        };
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** How each model fares on each channel */
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
                             * @description ISO 8601, UTC.
                             */
                            at: string;
                            /**
                             * @description down: of every model. degraded: of some channel.
                             * @enum {string}
                             */
                            status: "healthy" | "degraded" | "down";
                            /**
                             * Format: date-time
                             * @description When the first of the `hours` began.
                             */
                            hours_from: string;
                            models: components["schemas"]["ModelStatus"][];
                        };
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
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
        /** What each channel of each model is sold for, and what it costs */
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
                        "application/json": Record<string, never>;
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
        /** How each route of each channel fares, as this process sees it */
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
                        "application/json": Record<string, never>;
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
    "/admin/v1/upstreams/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask an upstream for a few tokens, and say how it went */
        post: {
            parameters: {
                query?: never;
                header?: never;
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
                        "application/json": Record<string, never>;
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
    "/admin/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Accounts, oldest first */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
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
                            data: components["schemas"]["Account"][];
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        /** Create an account */
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
                        name: string;
                        allow_exchange?: boolean;
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
                        "application/json": components["schemas"]["Account"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
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
                        name?: string;
                        /** @enum {string} */
                        status?: "active" | "suspended";
                        allow_exchange?: boolean;
                        expires_at?: string | null;
                        limits?: {
                            spend?: {
                                day?: string | null;
                                week?: string | null;
                                month?: string | null;
                                total?: string | null;
                            };
                            requests_per_minute?: number | null;
                            tokens_per_minute?: number | null;
                            concurrency?: number | null;
                            models?: string[] | null;
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            ip_ranges?: string[] | null;
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
                        "application/json": components["schemas"]["Account"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
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
        /** Put money in a wallet, once for each id */
        post: {
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
                        amount: string;
                        /** @enum {string} */
                        currency: "USD" | "CNY";
                        reason: string;
                        reference?: string;
                        id?: string;
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
                        "application/json": components["schemas"]["Credit"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
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
                        "application/json": Record<string, never>;
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
        /** Check every invariant of the books */
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
                        "application/json": Record<string, never>;
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
                    limit?: number;
                    after?: string;
                    account_id?: string;
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        /** Create an API key; its secret is shown once */
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
                        name: string;
                        expires_at?: string | null;
                        limits?: {
                            spend?: {
                                day?: string | null;
                                week?: string | null;
                                month?: string | null;
                                total?: string | null;
                            };
                            requests_per_minute?: number | null;
                            tokens_per_minute?: number | null;
                            concurrency?: number | null;
                            models?: string[] | null;
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            ip_ranges?: string[] | null;
                        };
                        account_id: string;
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
                        "application/json": components["schemas"]["CreatedKey"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** An API key, its limits and what they leave */
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
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
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
                        name?: string;
                        expires_at?: string | null;
                        limits?: {
                            spend?: {
                                day?: string | null;
                                week?: string | null;
                                month?: string | null;
                                total?: string | null;
                            };
                            requests_per_minute?: number | null;
                            tokens_per_minute?: number | null;
                            concurrency?: number | null;
                            models?: string[] | null;
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            ip_ranges?: string[] | null;
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
                        "application/json": components["schemas"]["Key"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
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
        /** Give an API key a new secret; the old one ends after the overlap */
        post: {
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
                        overlap?: string;
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
                        "application/json": components["schemas"]["CreatedKey"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
    "/admin/v1/keys/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take an API key out of use until it is enabled again */
        post: {
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
                        "application/json": Record<string, never>;
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
        /** Put an API key that is disabled back into use */
        post: {
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
                        "application/json": Record<string, never>;
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
        /** The calling key, its limits and what it has spent */
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
    "/v2/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The calling key, its limits and what it has spent */
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
    "/v1/generation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The record of one request, its cost line by line, by its x-request-id */
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
    "/v2/generation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The record of one request, its cost line by line, by its x-request-id */
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** Every movement of the account's wallets, newest first */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    to?: string;
                    currency?: "USD" | "CNY";
                    kind?: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
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
                            next: string | null;
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
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** Every movement of the account's wallets, newest first */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    to?: string;
                    currency?: "USD" | "CNY";
                    kind?: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
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
                            next: string | null;
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
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** Use and charges by day, model, key and channel, with their totals */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    to?: string;
                    group_by?: string;
                    key_id?: string;
                    model?: string;
                    channel?: string;
                    currency?: "USD" | "CNY";
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
                            next: string | null;
                            /** @description One a currency, over all pages. */
                            total: components["schemas"]["UsageRow"][];
                            group_by: ("day" | "model" | "key" | "channel")[];
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
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** Use and charges by day, model, key and channel, with their totals */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    to?: string;
                    group_by?: string;
                    key_id?: string;
                    model?: string;
                    channel?: string;
                    currency?: "USD" | "CNY";
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
                            next: string | null;
                            /** @description One a currency, over all pages. */
                            total: components["schemas"]["UsageRow"][];
                            group_by: ("day" | "model" | "key" | "channel")[];
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
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                    limit?: number;
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    to?: string;
                    id?: string;
                    key_id?: string;
                    model?: string;
                    channel?: string;
                    outcome?: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
                    status?: "ok" | "failed";
                    currency?: "USD" | "CNY";
                    min_cost?: string;
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
                            next: string | null;
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
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                    limit?: number;
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    to?: string;
                    id?: string;
                    key_id?: string;
                    model?: string;
                    channel?: string;
                    outcome?: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
                    status?: "ok" | "failed";
                    currency?: "USD" | "CNY";
                    min_cost?: string;
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
                            next: string | null;
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
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** How many requests there were over time, and how many failed */
        get: {
            parameters: {
                query?: {
                    from?: string;
                    to?: string;
                    id?: string;
                    key_id?: string;
                    model?: string;
                    channel?: string;
                    outcome?: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
                    status?: "ok" | "failed";
                    currency?: "USD" | "CNY";
                    min_cost?: string;
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
                        "application/json": Record<string, never>;
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
        /** How many requests there were over time, and how many failed */
        get: {
            parameters: {
                query?: {
                    from?: string;
                    to?: string;
                    id?: string;
                    key_id?: string;
                    model?: string;
                    channel?: string;
                    outcome?: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
                    status?: "ok" | "failed";
                    currency?: "USD" | "CNY";
                    min_cost?: string;
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
                        "application/json": Record<string, never>;
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
        /** One request, its cost line by line */
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
                        "application/json": Record<string, never>;
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
        /** One request, its cost line by line */
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
                        "application/json": Record<string, never>;
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
        /** The account's wallets: little enough to ask often */
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
                        "application/json": Record<string, never>;
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
        /** The account's money, how fast it goes, and what went wrong lately */
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
                        "application/json": Record<string, never>;
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
                    limit?: number;
                    after?: string;
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        /** Create an API key; its secret is shown once */
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
                        name: string;
                        expires_at?: string | null;
                        limits?: {
                            spend?: {
                                day?: string | null;
                                week?: string | null;
                                month?: string | null;
                                total?: string | null;
                            };
                            requests_per_minute?: number | null;
                            tokens_per_minute?: number | null;
                            concurrency?: number | null;
                            models?: string[] | null;
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            ip_ranges?: string[] | null;
                        };
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
                        "application/json": components["schemas"]["CreatedKey"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** An API key, its limits and what they leave */
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
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
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
                        name?: string;
                        expires_at?: string | null;
                        limits?: {
                            spend?: {
                                day?: string | null;
                                week?: string | null;
                                month?: string | null;
                                total?: string | null;
                            };
                            requests_per_minute?: number | null;
                            tokens_per_minute?: number | null;
                            concurrency?: number | null;
                            models?: string[] | null;
                            channels?: ("direct" | "stable" | "economical")[] | null;
                            ip_ranges?: string[] | null;
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
                        "application/json": components["schemas"]["Key"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
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
        /** Give an API key a new secret; the old one ends after the overlap */
        post: {
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
                        overlap?: string;
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
                        "application/json": components["schemas"]["CreatedKey"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
    "/console/api/keys/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take an API key out of use until it is enabled again */
        post: {
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
                        "application/json": Record<string, never>;
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
        /** Put an API key that is disabled back into use */
        post: {
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
                        "application/json": Record<string, never>;
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
        /** Every movement of the account's wallets, newest first */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    to?: string;
                    currency?: "USD" | "CNY";
                    kind?: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
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
                            next: string | null;
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
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** Use and charges by day, model, key and channel, with their totals */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    to?: string;
                    group_by?: string;
                    key_id?: string;
                    model?: string;
                    channel?: string;
                    currency?: "USD" | "CNY";
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
                            next: string | null;
                            /** @description One a currency, over all pages. */
                            total: components["schemas"]["UsageRow"][];
                            group_by: ("day" | "model" | "key" | "channel")[];
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
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                    limit?: number;
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    to?: string;
                    id?: string;
                    key_id?: string;
                    model?: string;
                    channel?: string;
                    outcome?: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
                    status?: "ok" | "failed";
                    currency?: "USD" | "CNY";
                    min_cost?: string;
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
                            next: string | null;
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
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** How many requests there were over time, and how many failed */
        get: {
            parameters: {
                query?: {
                    from?: string;
                    to?: string;
                    id?: string;
                    key_id?: string;
                    model?: string;
                    channel?: string;
                    outcome?: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
                    status?: "ok" | "failed";
                    currency?: "USD" | "CNY";
                    min_cost?: string;
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
                        "application/json": Record<string, never>;
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
        /** One request, its cost line by line */
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
                        "application/json": Record<string, never>;
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
    "/console/api/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeem a code: its money goes to the wallet of the account */
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
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                    limit?: number;
                    after?: string;
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
                            /** @description What one payment may be; null: no payment provider is configured. */
                            card_limits: {
                                USD: {
                                    /**
                                     * @description A decimal string.
                                     * @example 12.345000000
                                     * @example 0.000123400
                                     * @example 250.00
                                     */
                                    min: string;
                                    /**
                                     * @description A decimal string.
                                     * @example 12.345000000
                                     * @example 0.000123400
                                     * @example 250.00
                                     */
                                    max: string;
                                };
                                CNY: {
                                    /**
                                     * @description A decimal string.
                                     * @example 12.345000000
                                     * @example 0.000123400
                                     * @example 250.00
                                     */
                                    min: string;
                                    /**
                                     * @description A decimal string.
                                     * @example 12.345000000
                                     * @example 0.000123400
                                     * @example 250.00
                                     */
                                    max: string;
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        /** Top up by card: answers the page to pay at */
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
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
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
                        USD?: string | null;
                        CNY?: string | null;
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
                        "application/json": Record<string, never>;
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
                    limit?: number;
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    to?: string;
                    currency?: "USD" | "CNY";
                    kind?: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
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
                            next: string | null;
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
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
    "/admin/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Use and charges of all accounts or one, with their totals */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    to?: string;
                    group_by?: string;
                    key_id?: string;
                    model?: string;
                    channel?: string;
                    currency?: "USD" | "CNY";
                    account_id?: string;
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
                            next: string | null;
                            /** @description One a currency, over all pages. */
                            total: components["schemas"]["AdminUsageRow"][];
                            group_by: ("day" | "account" | "model" | "key" | "channel")[];
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
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                    limit?: number;
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    to?: string;
                    id?: string;
                    key_id?: string;
                    model?: string;
                    channel?: string;
                    outcome?: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
                    status?: "ok" | "failed";
                    currency?: "USD" | "CNY";
                    min_cost?: string;
                    account_id?: string;
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
                            next: string | null;
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
                        "text/csv": unknown;
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
    "/admin/v1/requests/histogram": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many requests of all accounts or one there were over time, and how many failed */
        get: {
            parameters: {
                query?: {
                    from?: string;
                    to?: string;
                    id?: string;
                    key_id?: string;
                    model?: string;
                    channel?: string;
                    outcome?: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
                    status?: "ok" | "failed";
                    currency?: "USD" | "CNY";
                    min_cost?: string;
                    account_id?: string;
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
                        "application/json": Record<string, never>;
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
        /** One request, its cost line by line, its margin */
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
                        "application/json": Record<string, never>;
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
    "/admin/v1/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The balances of the books' own accounts, by currency */
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
                        "application/json": Record<string, never>;
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
        /** Who changed what, newest first; verify=true checks the chain up to there */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                    format?: "json" | "csv";
                    from?: string;
                    to?: string;
                    subject?: string;
                    actor?: string;
                    action?: string;
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
                            data: components["schemas"]["AuditEntry"][];
                            next: string | null;
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
                            /** @description Only when `verify` is true. */
                            chain?: {
                                verified_up_to: number;
                                ok: boolean;
                                first_broken_id: number | null;
                            };
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
                        "application/json": Record<string, never>;
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
    "/admin/v1/accounts/{id}/adjustments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Correct a wallet by an amount of either sign, once for each id */
        post: {
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
                        id?: string;
                        reason: string;
                        /** @enum {string} */
                        currency: "USD" | "CNY";
                        amount: string;
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
                        "application/json": components["schemas"]["Adjustment"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
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
                        "application/json": Record<string, never>;
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
        /** Buy money for one wallet with the other, at the rate in force */
        post: {
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
                        id?: string;
                        reason: string;
                        /** @enum {string} */
                        from: "USD" | "CNY";
                        /** @enum {string} */
                        to: "USD" | "CNY";
                        amount: string;
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
                        "application/json": components["schemas"]["Exchange"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
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
                        "application/json": Record<string, never>;
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
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id?: string;
                        reason: string;
                        /** @enum {string} */
                        currency: "USD" | "CNY";
                        amount: string;
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
                        "application/json": components["schemas"]["CreditLimit"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
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
                        "application/json": Record<string, never>;
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
    "/admin/v1/requests/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give back what a request was charged, or part of it */
        post: {
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
                        id?: string;
                        reason: string;
                        amount: "all" | string;
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
                        "application/json": components["schemas"]["Refund"];
                    };
                };
                /** @description Success */
                201: {
                    headers: {
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
                        "application/json": Record<string, never>;
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
    "/admin/v1/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copy the books, in use, to a new file in the folder `backups` of the data folder */
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
                201: {
                    headers: {
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
                        "application/json": Record<string, never>;
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
    "/v1/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeem a code: its money goes to the wallet of the account */
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
                        "application/json": Record<string, never>;
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
    "/v2/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeem a code: its money goes to the wallet of the account */
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
                        "application/json": Record<string, never>;
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
        /** Batches of redeem codes, oldest first */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        /** Make redeem codes; they are shown this once */
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
                        /** @enum {string} */
                        currency: "USD" | "CNY";
                        amount: string;
                        count: number;
                        reason: string;
                        expires_at?: string | null;
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
                        "application/json": Record<string, never>;
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
        /** A batch, and how many of its codes are used */
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Cancel the codes that nobody has redeemed */
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
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
                        "application/json": Record<string, never>;
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
                        USD?: string | null;
                        CNY?: string | null;
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
                        "application/json": Record<string, never>;
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
    "/console/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in, and whether anybody can be */
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
                        "application/json": Record<string, never>;
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
        /** Make the first administrator with the link of the log, and sign them in */
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
                        email: string;
                        name: string;
                        password: string;
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
                        "application/json": Record<string, never>;
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
        /** Sign in with e-mail address and password */
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
                        "application/json": Record<string, never>;
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
        /** The second step: a code of the authenticator, or a recovery code */
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
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
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
        /** Accept an invitation, or open an account where sign-up is open; and sign in */
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
                        token?: string;
                        email: string;
                        name: string;
                        password: string;
                        account_name?: string;
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
                        "application/json": Record<string, never>;
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
                        token: string;
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
                        "application/json": Record<string, never>;
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
    "/console/api/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a link of a setup, an invitation or a reset is for */
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
                        "application/json": Record<string, never>;
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
        /** Who you are */
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
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
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
        /** Change your password; all other sessions of yours end */
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
                        current_password: string;
                        new_password: string;
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
                        "application/json": Record<string, never>;
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
    "/console/api/profile/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to set up an authenticator; it counts once a code of it was right */
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
                        "application/json": components["schemas"]["TotpSetup"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        /** Take the authenticator away */
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
                        "application/json": Record<string, never>;
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
                        "application/json": components["schemas"]["Profile"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** New recovery codes; those before no longer work */
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
                        "application/json": Record<string, never>;
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
        /** Where you are signed in, the newest first */
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** End all other sessions of yours */
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
                        "application/json": Record<string, never>;
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
        /** End a session of yours */
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
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
                    limit?: number;
                    after?: string;
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
                        "application/json": Record<string, never>;
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
        /** Take somebody out of your account; their sessions end */
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Give somebody of your account another role */
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
                        "application/json": Record<string, never>;
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
        /** A link by which somebody of your account sets a new password; shown this once */
        post: {
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
                201: {
                    headers: {
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
                        "application/json": Record<string, never>;
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
        /** Invitations to your account, the newest first */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        /** Invite somebody to your account; the link is shown this once */
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
                        /** @enum {string} */
                        role: "read_only" | "member" | "owner" | "administrator";
                        email?: string | null;
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
                        "application/json": components["schemas"]["NewInvitation"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** Take an open invitation back */
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
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
        /** People of all accounts, those who came first, first */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
                    account_id?: string;
                    email?: string;
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
                        "application/json": Record<string, never>;
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
        /** Take somebody out; their sessions end */
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Give somebody another role, or another account */
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
                        role?: "read_only" | "member" | "owner" | "administrator";
                        account_id?: string;
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
                        "application/json": Record<string, never>;
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
        /** A link by which somebody sets a new password; shown this once */
        post: {
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
                201: {
                    headers: {
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
                        "application/json": Record<string, never>;
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
        /** Take an authenticator away that was lost with its recovery codes */
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
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
        /** The link that makes the first administrator; those before it no longer work */
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
                201: {
                    headers: {
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
                        "application/json": Record<string, never>;
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
    "/admin/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invitations to all accounts, the newest first */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    after?: string;
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        /** Invite somebody to an account, or to a new one; the link is shown this once */
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
                        /** @enum {string} */
                        role: "read_only" | "member" | "owner" | "administrator";
                        email?: string | null;
                        account_id?: string;
                        account_name?: string;
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
                        "application/json": components["schemas"]["NewInvitation"];
                    };
                };
                /** @description An error body in the openai dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** Take an open invitation back */
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
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
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
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
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
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this is; a browser is led to the console */
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                        "application/json": Record<string, never>;
                    };
                };
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
                /** @description An error body in the merged dialect */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Account: {
            id: string;
            name: string;
            /** @enum {string} */
            status: "active" | "suspended";
            allow_exchange: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            expires_at: string | null;
            limits: components["schemas"]["Limits"];
            spend: components["schemas"]["Spend"];
        };
        AccountWithWallets: {
            id: string;
            name: string;
            /** @enum {string} */
            status: "active" | "suspended";
            allow_exchange: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            expires_at: string | null;
            limits: components["schemas"]["Limits"];
            spend: components["schemas"]["Spend"];
            wallets: components["schemas"]["Wallet"][];
        };
        Adjustment: {
            /** @constant */
            kind: "adjust";
            id: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description What the wallet can afford with it.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            already_applied: boolean;
            account_id: string;
        };
        AdminRequestDetails: {
            id: string;
            /**
             * Format: date-time
             * @description When it was settled.
             */
            at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            started_at: string;
            /** @enum {string} */
            endpoint: "chat" | "messages" | "images";
            model: string;
            channel_requested: string | null;
            /**
             * @example direct
             * @example stable
             * @example economical
             */
            channel: string;
            key_id: string;
            /** @enum {string} */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            error_code: string | null;
            finish_reason: string | null;
            streamed: boolean;
            /** @description The counts are ours: the upstream gave none. */
            estimated: boolean;
            input_tokens: number;
            cache_read_tokens: number;
            cache_write_5m_tokens: number;
            cache_write_1h_tokens: number;
            output_tokens: number;
            images: number;
            image_price: string | null;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description What was charged.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            refunded: string;
            /**
             * @description What the wallet could not pay.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            price_card: string;
            fx_rate: string | null;
            first_byte_ms: number | null;
            duration_ms: number;
            account_id: string;
            upstream: string;
            upstream_model: string;
            attempts: components["schemas"]["Attempt"][];
            cost_details: components["schemas"]["CostDetails"];
            operator_cost: string | null;
            margin: string | null;
        };
        AdminRequestRecord: {
            id: string;
            /**
             * Format: date-time
             * @description When it was settled.
             */
            at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            started_at: string;
            /** @enum {string} */
            endpoint: "chat" | "messages" | "images";
            model: string;
            channel_requested: string | null;
            /**
             * @example direct
             * @example stable
             * @example economical
             */
            channel: string;
            key_id: string;
            /** @enum {string} */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            error_code: string | null;
            finish_reason: string | null;
            streamed: boolean;
            /** @description The counts are ours: the upstream gave none. */
            estimated: boolean;
            input_tokens: number;
            cache_read_tokens: number;
            cache_write_5m_tokens: number;
            cache_write_1h_tokens: number;
            output_tokens: number;
            images: number;
            image_price: string | null;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description What was charged.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            refunded: string;
            /**
             * @description What the wallet could not pay.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            price_card: string;
            fx_rate: string | null;
            first_byte_ms: number | null;
            duration_ms: number;
            account_id: string;
            upstream: string;
            upstream_model: string;
            attempts: components["schemas"]["Attempt"][];
        };
        AdminUsageRow: {
            day: string | null;
            model: string | null;
            key_id: string | null;
            channel: string | null;
            /** @enum {string} */
            currency: "USD" | "CNY";
            requests: number;
            incomplete: number;
            input_tokens: number;
            cache_read_tokens: number;
            cache_write_5m_tokens: number;
            cache_write_1h_tokens: number;
            output_tokens: number;
            images: number;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            charge: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            /**
             * @description The charge, converted at each request's own rate.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost_usd: string;
            account_id: string | null;
        };
        /** @description Null: that of the configuration holds. */
        AlertThresholds: {
            USD: string | null;
            CNY: string | null;
            /** @description What counts as low now; null: nothing does. */
            in_force: {
                USD: string | null;
                CNY: string | null;
            };
        };
        Attempt: {
            channel: string;
            upstream: string;
            model: string;
            /** @description Its status, or the code of the failure. */
            result: string;
            /** @description Since the request was admitted. */
            start_ms: number;
            /** @description Until its status line or its failure. */
            duration_ms: number;
        };
        AuditEntry: {
            id: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /** @description `admin`, `system`, or the id of a key or a person. */
            actor: string;
            action: string;
            subject: string;
            /** @description What it was about; `before` and `after` are objects where there are such. An entry that somebody has spoilt is a text. */
            detail: {
                [key: string]: unknown;
            } | string;
            /** @description What this entry adds to the chain, hexadecimal. */
            hash: string;
        };
        Backup: {
            /** @description Where it is on the server, which names it. */
            file: string;
            bytes: number;
            /**
             * Format: date-time
             * @description All that was acknowledged before is in it.
             */
            taken_at: string;
        };
        BookBalance: {
            /** @enum {string} */
            account: "top_up" | "redeem_code" | "card_payment" | "demo" | "goodwill" | "adjustment" | "revenue" | "operator_loss" | "fx:USD" | "fx:CNY";
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            balance: string;
        };
        /** @description How the channel fared in the last five minutes. */
        ChannelHealth: {
            /**
             * @description degraded: a part of what serves it is left alone. down: all of it.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "down";
            /** @description 0 to 1; null where too little happened to tell. */
            success_rate: number | null;
            first_byte_ms: {
                p50: number;
                p95: number;
            } | null;
        };
        ChannelOffer: {
            model: string;
            model_name: string;
            /** @enum {string} */
            kind: "chat" | "image";
            /** @enum {string} */
            settlement: "USD" | "CNY";
            /** @enum {string} */
            channel: "direct" | "stable" | "economical";
            /** @description The model's default channel. */
            default: boolean;
            /** @description A price made up by the shipped configuration. */
            example: boolean;
            price_card: string;
            price: components["schemas"]["Price"];
            /** @description What the configuration notes that we pay; null: nothing is noted. */
            cost: components["schemas"]["Price"] | null;
        };
        ChannelStatus: {
            /** @enum {string} */
            channel: "direct" | "stable" | "economical";
            default: boolean;
            /**
             * @description degraded: a part of what serves it is left alone. down: all of it.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "down";
            /** @description Of the last five minutes, 0 to 1; null: too few. */
            success_rate: number | null;
            /** @description Of the last five minutes; null: too few. */
            first_byte_ms: {
                p50: number;
                p95: number;
            } | null;
            /** @description What went well of each of the last hours, the oldest first. */
            hours: (number | null)[];
        };
        CostDetails: {
            card: string;
            /** @enum {string} */
            card_currency: "USD" | "CNY";
            lines: components["schemas"]["CostLine"][];
            /** @description There are none. */
            discounts: [
            ];
            /**
             * @description The sum of the lines.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost_unrounded: string;
            conversion: {
                id: string;
                /** @enum {string} */
                from: "USD" | "CNY";
                /** @enum {string} */
                to: "USD" | "CNY";
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                rate: string;
            } | null;
            rounding: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
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
            charge: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            /**
             * @description `charge` + `loss` + `waived` is `price`.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            waived: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            refunded: string;
        };
        /** @description In the currency of the card: count times price, exactly. */
        CostLine: {
            /** @constant */
            kind: "tokens";
            /** @enum {string} */
            bucket: "input" | "cache_read" | "cache_write_5m" | "cache_write_1h" | "output";
            count: number;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            rate_per_1m: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
        } | {
            /** @constant */
            kind: "images";
            price_key: string;
            count: number;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            price_per_image: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
        };
        CreatedKey: {
            id: string;
            account_id: string;
            name: string;
            /** @example sk-mg-abcd...wxyz */
            masked: string;
            /**
             * @description disabled: out of use until it is enabled again. revoked: for good.
             * @enum {string}
             */
            status: "active" | "disabled" | "revoked";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            expires_at: string | null;
            revoked_at: string | null;
            last_used_at: string | null;
            /** @description Until when the secret before the last rotation works. */
            previous_secret_until: string | null;
            limits: components["schemas"]["Limits"];
            spend: components["schemas"]["Spend"];
            /** @description Shown this once. */
            secret: string;
        };
        CreatedRedeemBatch: {
            id: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description Of one code.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            count: number;
            used: number;
            cancelled: number;
            reason: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            expires_at: string | null;
            cancelled_at: string | null;
            codes: string[];
        };
        Credit: {
            id: string;
            account_id: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description What the wallet can afford with it.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            /** @description It was booked before, and not again. */
            already_applied: boolean;
        };
        CreditLimit: {
            /** @constant */
            kind: "credit_limit";
            id: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description What the wallet can afford with it.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            already_applied: boolean;
            account_id: string;
        };
        Exchange: {
            /** @constant */
            kind: "exchange";
            id: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description What the wallet can afford with it.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            already_applied: boolean;
            account_id: string;
            rate: {
                id: string;
                /** @enum {string} */
                from: "USD" | "CNY";
                /** @enum {string} */
                to: "USD" | "CNY";
                /**
                 * @description A decimal string.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                rate: string;
            };
        };
        Invitation: {
            id: string;
            email: string | null;
            /** @enum {string} */
            role: "read_only" | "member" | "owner" | "administrator";
            account_id: string | null;
            account_name: string;
            /** @enum {string} */
            state: "open" | "accepted" | "expired";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            invited_by: string;
        };
        Key: {
            id: string;
            account_id: string;
            name: string;
            /** @example sk-mg-abcd...wxyz */
            masked: string;
            /**
             * @description disabled: out of use until it is enabled again. revoked: for good.
             * @enum {string}
             */
            status: "active" | "disabled" | "revoked";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            expires_at: string | null;
            revoked_at: string | null;
            last_used_at: string | null;
            /** @description Until when the secret before the last rotation works. */
            previous_secret_until: string | null;
            limits: components["schemas"]["Limits"];
            spend: components["schemas"]["Spend"];
        };
        LedgerVerification: {
            ok: boolean;
            breach_count: number;
            breaches: {
                invariant: string;
                subject: string;
                detail: string;
            }[];
        };
        /** @description Null: no limit. Caps on spending are in USD. */
        Limits: {
            spend: {
                day: string | null;
                week: string | null;
                month: string | null;
                total: string | null;
            };
            requests_per_minute: number | null;
            tokens_per_minute: number | null;
            concurrency: number | null;
            models: string[] | null;
            channels: string[] | null;
            ip_ranges: string[] | null;
        };
        Link: {
            /** @enum {string} */
            kind: "setup" | "invitation" | "password_reset";
            email: string | null;
            role: ("read_only" | "member" | "owner" | "administrator") | null;
            account_name: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
        };
        Member: {
            id: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "read_only" | "member" | "owner" | "administrator";
            account: {
                id: string;
                name: string;
            };
            totp_enabled: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            last_seen_at: string | null;
        };
        Model: {
            id: string;
            /** @constant */
            object: "model";
            /** @constant */
            type: "model";
            /** @description Seconds since 1970; 0 where the day is not known. */
            created: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            owned_by: string;
            display_name: string;
            /** @description Of the OpenAI protocol; no model has one. */
            shutdown_date: string | null;
            name: string;
            maker: string;
            /** @enum {string} */
            kind: "chat" | "image";
            context_length: number | null;
            max_output_tokens: number | null;
            max_input_tokens: number | null;
            max_tokens: number | null;
            /** @description Of image models. */
            sizes?: string[];
            /** @description Of image models: in one request. */
            max_images?: number;
            /** @description Of image models; the first is the default. */
            qualities?: string[];
            /** @description Of image models; the first is the default. */
            styles?: string[];
            input_modalities: string[];
            output_modalities: string[];
            /** @description YYYY/MM/DD */
            release_date: string | null;
            /** @enum {string} */
            settlement: "USD" | "CNY";
            /** @description Null: prices are in the settlement currency already. */
            settlement_rate: {
                id: string;
                /**
                 * @description How much of the settlement currency one USD is.
                 * @example 12.345000000
                 * @example 0.000123400
                 * @example 250.00
                 */
                rate: string;
            } | null;
            channels: components["schemas"]["ModelChannel"][];
        };
        ModelChannel: {
            /** @enum {string} */
            channel: "direct" | "stable" | "economical";
            default: boolean;
            /** @description A price made up by the shipped configuration. */
            example: boolean;
            price_card: string;
            price: components["schemas"]["Price"];
            /** @description Parameters of chat completions that make a difference here; others are accepted and not heeded, or refused with their name. */
            supported_parameters: ("max_completion_tokens" | "temperature" | "top_p" | "presence_penalty" | "frequency_penalty" | "seed" | "stop" | "n" | "logit_bias" | "logprobs" | "tools" | "tool_choice" | "parallel_tool_calls" | "response_format" | "reasoning_effort" | "verbosity" | "service_tier")[];
            /** @description Null: nothing to tell. */
            health: components["schemas"]["ChannelHealth"] | null;
        };
        ModelStatus: {
            id: string;
            name: string;
            /**
             * @description The best of its channels: each can be asked for.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "down";
            channels: components["schemas"]["ChannelStatus"][];
        };
        Movement: {
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /** @enum {string} */
            kind: "credit" | "settle" | "exchange" | "refund" | "adjust" | "late";
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description Less than zero when it went out.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            balance_after: string;
            /** @description The account of the books on the other side. */
            source: string;
            reason: string | null;
            request_id: string | null;
            fx_rate: string | null;
            fx_price: string | null;
        };
        NewInvitation: {
            id: string;
            email: string | null;
            /** @enum {string} */
            role: "read_only" | "member" | "owner" | "administrator";
            account_id: string | null;
            account_name: string;
            /** @enum {string} */
            state: "open" | "accepted" | "expired";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            invited_by: string;
            url: string;
        };
        OneTimeLink: {
            url: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
        };
        Overview: {
            account: components["schemas"]["Account"];
            wallets: components["schemas"]["WatchedWallet"][];
            spend: components["schemas"]["RecentSpend"][];
            /** @description How long the balance lasts at the pace of the last seven days; null: nothing was spent in them. */
            runway_days: number | null;
            requests_last_7_days: number;
            failed_last_7_days: number;
            recent_errors: components["schemas"]["RequestRecord"][];
            /** @description Whether a request was ever answered whole. */
            first_call_done: boolean;
        };
        Person: {
            id: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "read_only" | "member" | "owner" | "administrator";
            account: {
                id: string;
                name: string;
            };
            totp_enabled: boolean;
            totp_required: boolean;
        };
        /** @description Decimal strings; null where none is listed. */
        Price: {
            /** @enum {string} */
            currency: "USD" | "CNY";
            /** @enum {string} */
            unit: "1M tokens" | "image";
            input: string | null;
            output: string | null;
            /** @description Null: such tokens are charged as input. */
            cache_read: string | null;
            /** @description Null: such tokens are charged as input. */
            cache_write: string | null;
            /** @description Null: twice the price of input. */
            cache_write_1h: string | null;
            /** @description By size, such as 1024x1024, or size and quality, such as 1024x1024/hd. */
            per_image: {
                [key: string]: string;
            } | null;
        };
        Profile: {
            id: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "read_only" | "member" | "owner" | "administrator";
            account: {
                id: string;
                name: string;
            };
            totp_enabled: boolean;
            totp_required: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            recovery_codes_left: number;
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
            today: string;
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
        };
        RedeemBatch: {
            id: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description Of one code.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            count: number;
            used: number;
            cancelled: number;
            reason: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            expires_at: string | null;
            cancelled_at: string | null;
        };
        Redeemed: {
            id: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description What the wallet can afford with it.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            already_applied: boolean;
        };
        Refund: {
            /** @constant */
            kind: "refund";
            id: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description What the wallet can afford with it.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            already_applied: boolean;
            request_id: string;
        };
        RequestDetails: {
            id: string;
            /**
             * Format: date-time
             * @description When it was settled.
             */
            at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            started_at: string;
            /** @enum {string} */
            endpoint: "chat" | "messages" | "images";
            model: string;
            channel_requested: string | null;
            /**
             * @example direct
             * @example stable
             * @example economical
             */
            channel: string;
            key_id: string;
            /** @enum {string} */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            error_code: string | null;
            finish_reason: string | null;
            streamed: boolean;
            /** @description The counts are ours: the upstream gave none. */
            estimated: boolean;
            input_tokens: number;
            cache_read_tokens: number;
            cache_write_5m_tokens: number;
            cache_write_1h_tokens: number;
            output_tokens: number;
            images: number;
            image_price: string | null;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description What was charged.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            refunded: string;
            /**
             * @description What the wallet could not pay.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            price_card: string;
            fx_rate: string | null;
            first_byte_ms: number | null;
            duration_ms: number;
            cost_details: components["schemas"]["CostDetails"];
        };
        RequestHistogram: {
            data: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                at: string;
                requests: number;
                failed: number;
            }[];
            /**
             * @description By the hour up to three days.
             * @enum {string}
             */
            bucket: "hour" | "day";
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
            id: string;
            /**
             * Format: date-time
             * @description When it was settled.
             */
            at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            started_at: string;
            /** @enum {string} */
            endpoint: "chat" | "messages" | "images";
            model: string;
            channel_requested: string | null;
            /**
             * @example direct
             * @example stable
             * @example economical
             */
            channel: string;
            key_id: string;
            /** @enum {string} */
            outcome: "completed" | "length" | "caller_left" | "upstream_error" | "upstream_truncated" | "upstream_timeout" | "gateway_error" | "shutdown" | "revoked" | "node_lost";
            error_code: string | null;
            finish_reason: string | null;
            streamed: boolean;
            /** @description The counts are ours: the upstream gave none. */
            estimated: boolean;
            input_tokens: number;
            cache_read_tokens: number;
            cache_write_5m_tokens: number;
            cache_write_1h_tokens: number;
            output_tokens: number;
            images: number;
            image_price: string | null;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /**
             * @description What was charged.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            refunded: string;
            /**
             * @description What the wallet could not pay.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            price_card: string;
            fx_rate: string | null;
            first_byte_ms: number | null;
            duration_ms: number;
        };
        RouteHealth: {
            model: string;
            /** @enum {string} */
            channel: "direct" | "stable" | "economical";
            /** @description By its configured name. */
            upstream: string;
            upstream_model: string;
            weight: number;
            /**
             * @description closed: in use. open: failing, and left alone. half_open: a few requests find out how it is. cooling: it asked for a pause (429).
             * @enum {string}
             */
            standing: "closed" | "half_open" | "open" | "cooling";
            /** @description Since when; null: as long as this process runs. */
            since: string | null;
            /** @description Until it may be tried again; 0: now. */
            retry_in_ms: number;
            in_flight: number;
            /** @description Exchanges that ended in the last five minutes; callers who left do not count. */
            ended: number;
            /** @description Of these, 0 to 1. */
            success_rate: number | null;
            /** @description Until the first byte of an answer, in the last five minutes. */
            first_byte_ms: {
                p50: number;
                p95: number;
            } | null;
            /** @description Since this process runs. */
            last_failure: {
                code: string;
                /** @description What exactly it was, without the key. */
                cause: string | null;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                at: string;
            } | null;
        };
        Session: {
            id: string;
            current: boolean;
            address: string | null;
            user_agent: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
        };
        SessionState: {
            person: components["schemas"]["Person"] | null;
            setup_needed: boolean;
            /** @enum {string} */
            sign_up: "closed" | "open";
            password_min_length: number;
            password_max_length: number;
        };
        SignedIn: {
            person: components["schemas"]["Person"] | null;
            totp_needed: boolean;
        };
        Spend: {
            day: components["schemas"]["SpendWindow"];
            week: components["schemas"]["SpendWindow"];
            month: components["schemas"]["SpendWindow"];
            total: components["schemas"]["SpendWindow"];
        };
        /** @description In USD; `remaining` is null without a cap. */
        SpendWindow: {
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            spent: string;
            remaining: string | null;
            resets_at: string | null;
        };
        TopUp: {
            id: string;
            /** @description Where to pay; null once it is not open. */
            url: string | null;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            amount: string;
            /** @enum {string} */
            currency: "USD" | "CNY";
            /** @enum {string} */
            status: "open" | "pending" | "paid" | "failed" | "expired" | "review";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
        };
        TotpSetup: {
            otpauth_uri: string;
            secret: string;
            recovery_codes: string[];
        };
        UpstreamCheck: {
            /** @enum {string} */
            format: "chat" | "messages";
            ok: boolean;
            status: number | null;
            /** @description From the request to the status line. */
            status_ms: number | null;
            /** @description From the request to the first byte of the answer. */
            first_byte_ms: number | null;
            /** @description As it was read, each token in one count. */
            usage: {
                input_tokens: number;
                cache_read_tokens: number;
                cache_write_tokens: number;
                output_tokens: number;
            } | null;
            /** @description What is wrong and what to do. */
            problem: string | null;
            /** @description What the upstream said, without keys. */
            error: string | null;
        };
        UpstreamTest: {
            upstream: string;
            /** @description The model's name there. */
            model: string;
            ok: boolean;
            checks: components["schemas"]["UpstreamCheck"][];
            /** @description In force for this model, by their names in the file. */
            quirks: {
                [key: string]: unknown;
            };
        };
        /** @description Null in the dimensions that were not asked for. */
        UsageRow: {
            day: string | null;
            model: string | null;
            key_id: string | null;
            channel: string | null;
            /** @enum {string} */
            currency: "USD" | "CNY";
            requests: number;
            incomplete: number;
            input_tokens: number;
            cache_read_tokens: number;
            cache_write_5m_tokens: number;
            cache_write_1h_tokens: number;
            output_tokens: number;
            images: number;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            charge: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            loss: string;
            /**
             * @description The charge, converted at each request's own rate.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            cost_usd: string;
        };
        Wallet: {
            /** @enum {string} */
            currency: "USD" | "CNY";
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
            held: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            credit_limit: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
        };
        WatchedWallet: {
            /** @enum {string} */
            currency: "USD" | "CNY";
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
            held: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            credit_limit: string;
            /**
             * @description A decimal string.
             * @example 12.345000000
             * @example 0.000123400
             * @example 250.00
             */
            available: string;
            /** @description Null: nothing counts as low. */
            low_below: string | null;
            is_low: boolean;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

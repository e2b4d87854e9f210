/*
 * Loaded into an n8n that runs examples. Some of n8n's own nodes, such as Slack, have a fixed address.
 * Their requests go to a stand-in on this computer instead, with the same path, headers and body.
 */
import http from 'node:http';
import https from 'node:https';

type Callback = (response: http.IncomingMessage) => void;

/** The ports on this computer that requests to other hosts go to. */
const ports: Record<string, number> = JSON.parse(process.env.REDIRECTED_HOSTS ?? '{}');
const { request } = https;

Object.assign(https, {
	request(options: https.RequestOptions, ...callback: [Callback?]): http.ClientRequest {
		const port = ports[options.hostname ?? ''];
		if (port === undefined) return request(options, ...callback);
		const there = { protocol: 'http:', hostname: '127.0.0.1', port, agent: undefined };
		return http.request({ ...options, host: undefined, ...there }, ...callback);
	},
});

/*
 * Loaded into an n8n that runs examples. Some of n8n's own nodes, such as Slack, have a fixed address.
 * Their requests go to the stand-ins on this computer instead, with the same path, headers and body.
 */
import http from 'node:http';
import https from 'node:https';

type Callback = (response: http.IncomingMessage) => void;

const HOSTS = ['slack.com', 'sheets.googleapis.com'];
const port = process.env.STAND_INS_PORT;
const { request } = https;

Object.assign(https, {
	request(options: https.RequestOptions, ...callback: [Callback?]): http.ClientRequest {
		if (!HOSTS.includes(options.hostname ?? '')) return request(options, ...callback);
		const there = { protocol: 'http:', hostname: '127.0.0.1', port, agent: undefined };
		return http.request({ ...options, host: undefined, ...there }, ...callback);
	},
});

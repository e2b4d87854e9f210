import { readFileSync } from 'node:fs';
import { onlyInNewestLine } from '../support/engine/lines.mts';
import { defects } from './explorer/defects.mts';

it.each(defects)('the explorer’s defect “$name” can still be planted', ({ file, from }) => {
	onlyInNewestLine();
	const code = readFileSync(`nodes/EngagementUploads/trigger/${file}`, 'utf8');
	expect(code.split(from)).toHaveLength(2);
});

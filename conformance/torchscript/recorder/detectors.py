"""Torchvision's detectors with small backbones, with what PyTorch 1.13 answers.

    TSGEN_OUT=out python3 detectors.py           (Debian's python3-torch and python3-torchvision)
    TSGEN_OUT=out python3 detectors.py whole     (as torchvision ships them: large, so not committed)

Weights are drawn, not trained; scores are spread so that their order is plain.
"""
import sys

import torch
import torch.nn as nn
from torchvision.models import detection
from torchvision.models.detection.anchor_utils import AnchorGenerator, DefaultBoxGenerator
from torchvision.ops import MultiScaleRoIAlign

import tsgen

torch.manual_seed(11)
torch.set_num_threads(1)
CLASSES = 4


class Backbone(nn.Module):
    """One map of features, of an eighth of the picture."""

    def __init__(self, channels):
        super().__init__()
        self.out_channels = channels
        self.body = nn.Sequential(
            nn.Conv2d(3, channels, 3, 4, 1), nn.BatchNorm2d(channels), nn.ReLU(),
            nn.Conv2d(channels, channels, 3, 2, 1), nn.ReLU())

    def forward(self, x):
        return self.body(x)


class Levels(nn.Module):
    """Two maps, as a pyramid gives them."""

    def __init__(self, channels):
        super().__init__()
        self.out_channels = channels
        self.fine = Backbone(channels)
        self.coarse = nn.Conv2d(channels, channels, 3, 2, 1)

    def forward(self, x):
        fine = self.fine(x)
        out: dict[str, torch.Tensor] = {"0": fine, "1": self.coarse(fine)}
        return out


def spread(model):
    """Weights of the heads large enough to tell boxes and classes apart."""
    for name, p in model.named_parameters():
        if "backbone" not in name and p.dim() > 1:
            p.data = p.data + 0.7 * torch.randn_like(p) / p[0].numel() ** 0.5
    return model.eval()


def sizes(count):
    return dict(min_size=48, max_size=64, num_classes=count)


def settled(model):
    """Statistics of batch norms as if it had been trained, or all scores are alike."""
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.momentum = None
    model.train()
    with torch.no_grad():
        model.head(list(model.backbone(torch.rand(2, 3, 320, 320)).values()))
    return spread(model)


def anchors(levels):
    return AnchorGenerator(((8, 16), (24, 32))[:levels], ((0.5, 1.0, 2.0),) * levels)


def roi(size):
    return MultiScaleRoIAlign(["0"], output_size=size, sampling_ratio=2)


SMALL_ROI = dict(rpn_pre_nms_top_n_test=40, rpn_post_nms_top_n_test=12, box_detections_per_img=5)


def faster():
    return detection.FasterRCNN(
        Backbone(8), rpn_anchor_generator=anchors(1), box_roi_pool=roi(3),
        box_head=detection.faster_rcnn.TwoMLPHead(8 * 9, 16),
        box_predictor=detection.faster_rcnn.FastRCNNPredictor(16, CLASSES),
        **{**sizes(None), **SMALL_ROI})


def mask():
    return detection.MaskRCNN(
        Backbone(8), rpn_anchor_generator=anchors(1), box_roi_pool=roi(3), mask_roi_pool=roi(4),
        box_head=detection.faster_rcnn.TwoMLPHead(8 * 9, 16),
        box_predictor=detection.faster_rcnn.FastRCNNPredictor(16, CLASSES),
        mask_head=detection.mask_rcnn.MaskRCNNHeads(8, (8,), 1),
        mask_predictor=detection.mask_rcnn.MaskRCNNPredictor(8, 8, CLASSES),
        **{**sizes(None), **SMALL_ROI})


def keypoints():
    return detection.KeypointRCNN(
        Backbone(8), rpn_anchor_generator=anchors(1), box_roi_pool=roi(3), keypoint_roi_pool=roi(4),
        box_head=detection.faster_rcnn.TwoMLPHead(8 * 9, 16),
        box_predictor=detection.faster_rcnn.FastRCNNPredictor(16, 2),
        keypoint_head=detection.keypoint_rcnn.KeypointRCNNHeads(8, (8,)),
        keypoint_predictor=detection.keypoint_rcnn.KeypointRCNNPredictor(8, 5),
        **{**sizes(None), **SMALL_ROI})


def retina():
    return detection.RetinaNet(
        Levels(8), anchor_generator=anchors(2), topk_candidates=30, detections_per_img=6,
        **sizes(CLASSES))


def fcos():
    return detection.FCOS(
        Levels(32), anchor_generator=AnchorGenerator(((8,), (16,)), ((1.0,), (1.0,))),
        topk_candidates=30, detections_per_img=6, **sizes(CLASSES))


def ssd():
    return detection.ssd.SSD(
        Levels(8), DefaultBoxGenerator([[2], [2]], scales=[0.2, 0.5, 0.9]), (64, 64), CLASSES,
        head=detection.ssd.SSDHead([8, 8], [4, 4], CLASSES), topk_candidates=30,
        detections_per_img=6, score_thresh=0.05)


SMALL = dict(faster_rcnn=faster, mask_rcnn=mask, keypoint_rcnn=keypoints, retinanet=retina, fcos=fcos, ssd=ssd)
WHOLE = dict(
    faster_rcnn=lambda: detection.fasterrcnn_mobilenet_v3_large_320_fpn(weights=None, weights_backbone=None),
    mask_rcnn=lambda: detection.maskrcnn_resnet50_fpn(weights=None, weights_backbone=None),
    retinanet=lambda: detection.retinanet_resnet50_fpn(weights=None, weights_backbone=None),
    fcos=lambda: detection.fcos_resnet50_fpn(weights=None, weights_backbone=None),
    ssdlite=lambda: settled(detection.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None)),
    keypoint_rcnn=lambda: detection.keypointrcnn_resnet50_fpn(weights=None, weights_backbone=None))


def main(arguments):
    whole = "whole" in arguments
    only = set(arguments) - {"whole"}
    for name, build in (WHOLE if whole else SMALL).items():
        if only and name not in only:
            continue

        def make(name=name, build=build):
            model = torch.jit.script(build().eval() if whole else spread(build()))
            side = 160 if whole else 24
            calls = [("forward", [[torch.rand(3, side, side + 4), torch.rand(3, side - 3, side)]]),
                     ("forward", [[torch.rand(3, side, side)]]),
                     ("forward", [[torch.rand(side, side)]])]
            tsgen.save("detector_" + name, model, calls[:1] if whole else calls, tags=("family",))

        make.__name__ = name
        tsgen.guard(make)
    tsgen.finish()


main(sys.argv[1:])
